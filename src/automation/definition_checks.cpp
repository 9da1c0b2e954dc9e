// What is checked only when a definition is made, or used by hand: stored ones are taken as they
// are.
#include "automation/definition.hpp"

namespace parley::automation {
namespace {

Result<> all_of(Faults faults)
{
    if (!faults.empty()) return validation_failed(std::move(faults));
    return {};
}

}  // namespace

Result<> Definition::check_values() const
{
    Faults faults;
    for (std::size_t i = 0; schedule_ && i < fields_.variables.size(); ++i)
        if (fields_.variables[i].required && !fields_.variables[i].default_value)
            faults.push_back({"#/variables/" + std::to_string(i) + "/default", "required",
                              "is required: a schedule gives no value for a required variable"});
    return all_of(std::move(faults));
}

Result<> Definition::check_names(const boost::json::object& given) const
{
    Faults faults;
    for (const auto& [name, value] : given)
        if (!message_.reads(name))
            faults.push_back({templates::pointer_part(name), "unknown_variable",
                              "is not read by any variable of the automation"});
    return all_of(std::move(faults));
}

}  // namespace parley::automation
