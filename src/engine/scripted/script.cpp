#include "engine/scripted/script.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace parley::engine::scripted {
namespace {

// A brace that is not closed within this length is not a directive. Otherwise a message full of
// opening braces would be searched to its end for each of them.
constexpr std::size_t longest_directive = 64;

// The codes of status 502, 503 and 504.
constexpr std::array<std::pair<std::string_view, Errc>, 6> errors{{
    {"upstream_error", Errc::upstream_error},
    {"upstream_timeout", Errc::upstream_timeout},
    {"overloaded", Errc::overloaded},
    {"model_unavailable", Errc::model_unavailable},
    {"storage_unavailable", Errc::storage_unavailable},
    {"shutting_down", Errc::shutting_down},
}};

std::optional<Errc> error_named(std::string_view name)
{
    for (const auto& [known, code] : errors)
        if (known == name) return code;
    return {};
}

std::optional<std::int64_t> number_up_to(std::int64_t most, std::string_view digits)
{
    std::uint64_t number = 0;  // Unsigned, so that a sign is not accepted.
    const auto [stopped, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = failure == std::errc() && stopped == digits.data() + digits.size();
    if (!is_number || number > static_cast<std::uint64_t>(most)) return {};
    return static_cast<std::int64_t>(number);
}

bool set_words(std::optional<std::int64_t>& words, std::string_view value)
{
    const auto number = number_up_to(Script::max_words, value);
    if (number) words = number;
    return number.has_value();
}

bool set_delay(std::chrono::milliseconds& delay, std::string_view value)
{
    const auto number = number_up_to(Script::max_delay.count(), value);
    if (number) delay = std::chrono::milliseconds(*number);
    return number.has_value();
}

bool set_error(std::optional<Errc>& error, std::string_view value)
{
    const auto code = error_named(value);
    if (code) error = code;
    return code.has_value();
}

// False if it is unknown, malformed or out of range.
bool obey(std::string_view directive, Script& script)
{
    if (directive == "max_tokens") return script.half = true;
    if (directive == "invalid_output") return script.ignores_format = true;
    const std::size_t colon = directive.find(':');
    if (colon == directive.npos) return false;
    const std::string_view name = directive.substr(0, colon);
    const std::string_view value = directive.substr(colon + 1);
    if (name == "words") return set_words(script.words, value);
    if (name == "fail_after") return set_words(script.fail_after, value);
    if (name == "delay_ms") return set_delay(script.delay, value);
    if (name == "first_delay_ms") return set_delay(script.first_delay, value);
    if (name == "error") return set_error(script.error, value);
    return false;
}

}  // namespace

Script read_script(std::string_view message)
{
    Script script;
    while (!message.empty()) {
        const std::size_t open = message.find('{');
        script.text += message.substr(0, open);
        if (open == message.npos) break;
        message.remove_prefix(open);
        const std::size_t close = message.substr(0, longest_directive).find('}');
        if (close == message.npos || !obey(message.substr(1, close - 1), script)) {
            script.text += '{';
            message.remove_prefix(1);
            continue;
        }
        message.remove_prefix(close + 1);
        if (message.starts_with(' ')) message.remove_prefix(1);
    }
    return script;
}

}  // namespace parley::engine::scripted
