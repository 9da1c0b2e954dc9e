// Replaces the upstream's name of the model in a response by the name that the client used. Also
// records the usage: many servers tell it at the end of a stream only, and only if they are asked.
#pragma once

#include "domain/chat.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::engine::upstream {

class Renaming {
public:
    // `max_output`: the tokens that the request allows; 0: not limited.
    explicit Renaming(std::string_view model, std::int64_t max_output = 0);

    // A JSON object; none if the text does not have the shape of one, or is not UTF-8. The results
    // of both are valid until the next call.
    std::optional<std::string_view> object(std::string_view text);
    // Whole events whose data are such objects; other data stay as they are.
    std::string_view events(std::string_view text);

    // A text of so many tokens may have been written, but was not read.
    void note_unread(std::int64_t tokens) { estimated_ = std::max(estimated_, tokens); }

    // As the upstream told it; else the output is estimated, at most as the request allows. Nothing
    // if there was no answer.
    std::optional<Usage> usage() const;

private:
    bool append_object(std::string_view text);
    void estimate(std::string_view choices);

    const std::int64_t max_output_;
    std::string quoted_;
    std::string changed_;
    std::optional<Usage> told_;
    std::int64_t estimated_ = 0;  // Tokens of the output.
};

}  // namespace parley::engine::upstream
