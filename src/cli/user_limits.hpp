// The limits and the budget of a user, as options of `parley user`.
#pragma once

#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace parley::cli {

struct LimitOptions {
    std::string chat;  // "300" is a number; "server" selects the server's own limit.
    std::string general;
    std::string automation;
};

// The fields of a request, without those of empty options. They fail with a message.
Result<boost::json::object> limits_of(const LimitOptions& options);
Result<boost::json::object> budget_of(const std::string& tokens);  // "none": no budget.

}  // namespace parley::cli
