// A message to the scripted model: a text to repeat, and directives in braces.
//
//   {words:N}  {delay_ms:N}  {first_delay_ms:N}  {fail_after:N}  {error:CODE}  {max_tokens}
//   {invalid_output}
//
// The last one of several directives of one kind counts. The message is read once: what only looks
// like a directive after another one was taken out of its middle stays in the text.
#pragma once

#include "base/error.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::engine::scripted {

struct Script {
    static constexpr std::int64_t max_words = 20'000;  // The limit of {words:N} and {fail_after:N}.
    static constexpr std::chrono::milliseconds max_delay{60'000};

    std::string text = {};  // The message, less each directive and a space after it.
    std::optional<std::int64_t> words = {};  // Says "w1 w2 … wN" instead.
    std::chrono::milliseconds first_delay{0};
    std::chrono::milliseconds delay{0};
    std::optional<std::int64_t> fail_after = {};  // Deltas; a reply that has fewer does not fail.
    std::optional<Errc> error = {};
    bool half = false;
    bool ignores_format = false;
};

Script read_script(std::string_view message);

}  // namespace parley::engine::scripted
