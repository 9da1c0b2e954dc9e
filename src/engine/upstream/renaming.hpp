// Replaces the upstream's name of the model in a response by the name that the client used. Also
// records the usage.
#pragma once

#include "domain/chat.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley::engine::upstream {

class Renaming {
public:
    explicit Renaming(std::string_view model);

    // A JSON object; none if the text does not have the shape of one, or is not UTF-8. The results
    // of both are valid until the next call.
    std::optional<std::string_view> object(std::string_view text);
    // Whole events whose data are such objects; other data stay as they are.
    std::string_view events(std::string_view text);

    const std::optional<Usage>& usage() const { return usage_; }

private:
    bool append_object(std::string_view text);

    std::string quoted_;
    std::string changed_;
    std::optional<Usage> usage_;
};

}  // namespace parley::engine::upstream
