#include "limits/classes.hpp"

#include <string>

namespace parley::limits {

Result<> check(const Limits& limits)
{
    const auto check_number = [](std::string_view name, std::uint32_t number) -> Result<> {
        if (number >= 1 && number <= Limits::max_limit) return {};
        return invalid_request("limits." + std::string(name) +
                               " must be a whole number from 1 to " +
                               std::to_string(Limits::max_limit) + ".");
    };
    for (const Class each : all_classes)
        if (auto right = check_number(name(each), limits.of(each)); !right) return right;
    if (auto right = check_number("auth_address", limits.of_address(Class::auth)); !right)
        return right;
    if (limits.window < std::chrono::seconds(1) || limits.window > Limits::max_window)
        return invalid_request("limits.window_s must be a whole number from 1 to " +
                               std::to_string(Limits::max_window / std::chrono::seconds(1)) + ".");
    return {};
}

}  // namespace parley::limits
