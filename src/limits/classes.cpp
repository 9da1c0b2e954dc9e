#include "limits/classes.hpp"

#include <string>

namespace parley::limits {

Result<> check(const Limits& limits)
{
    for (const Class each : all_classes)
        if (limits.of(each) < 1 || limits.of(each) > Limits::max_limit)
            return invalid_request("limits." + std::string(name(each)) +
                                   " must be a whole number from 1 to " +
                                   std::to_string(Limits::max_limit) + ".");
    if (limits.window < std::chrono::seconds(1) || limits.window > Limits::max_window)
        return invalid_request("limits.window_s must be a whole number from 1 to " +
                               std::to_string(Limits::max_window / std::chrono::seconds(1)) + ".");
    return {};
}

}  // namespace parley::limits
