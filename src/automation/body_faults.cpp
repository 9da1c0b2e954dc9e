#include "automation/body_faults.hpp"

#include "base/rfc3339.hpp"

namespace parley::automation {

void add_faults(Faults& faults, std::string_view at, const Error& error)
{
    for (const Fault& each : error.faults) {
        faults.push_back(each);
        faults.back().where.insert(0, at);
    }
}

Error fault_below(std::string_view at, const Error& error)
{
    Faults faults;
    add_faults(faults, at, error);
    return validation_failed(std::move(faults));
}

std::optional<TimePoint> parse_time(const std::optional<std::string>& text,
                                    std::string_view pointer, Faults& faults)
{
    if (!text) return std::nullopt;
    const auto time = parse_rfc3339(*text);
    if (!time)
        faults.push_back(
            {std::string(pointer), "invalid_format",
             "must be a time of the years 1678 to 2261, such as 2027-03-28T01:30:00Z"});
    return time;
}

}  // namespace parley::automation
