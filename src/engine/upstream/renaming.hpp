// An answer of another server carries the name that the model has there. Clients asked for another
// name, and get that one back. What the answer cost is noted on the way.
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
