// Checks of values that are given by hand.
#include "automation/definition.hpp"

namespace parley::automation {
Result<> Definition::check_names(const boost::json::object& given) const
{
    Faults faults;
    for (const auto& [name, value] : given)
        if (!message_.reads(name))
            faults.push_back({templates::pointer_part(name), "unknown_variable",
                              "is not read by any variable of the automation"});
    if (!faults.empty()) return validation_failed(std::move(faults));
    return {};
}

}  // namespace parley::automation
