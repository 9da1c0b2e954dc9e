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

    // A JSON object, or whole events whose data are such objects. The results are valid until the
    // next call and as long as the text is.
    std::string_view object(std::string_view text);
    std::string_view events(std::string_view text);

    const std::optional<Usage>& usage() const { return usage_; }

private:
    void append_object(std::string_view text);

    std::string quoted_;
    std::string changed_;
    std::optional<Usage> usage_;
};

}  // namespace parley::engine::upstream
