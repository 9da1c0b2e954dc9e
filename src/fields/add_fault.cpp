#include "fields/add_fault.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace parley::fields {

void add_fault(Faults& faults, Fault fault)
{
    if (faults.size() < max_faults) {
        faults.push_back(std::move(fault));
        return;
    }
    if (faults.back().code != further_faults)
        faults.push_back({"", std::string(further_faults), "0", fault.place});
    const std::size_t counted = std::strtoul(faults.back().detail.c_str(), nullptr, 10);
    faults.back().detail = std::to_string(counted + 1);
}

bool is_refused(const Faults& faults, std::string_view where)
{
    return std::ranges::any_of(faults, [where](const Fault& each) {
        return where.starts_with(each.where) &&
               (where.size() == each.where.size() || where[each.where.size()] == '/');
    });
}

void add_unless_refused(Faults& faults, Faults more)
{
    std::erase_if(more, [&faults](const Fault& each) { return is_refused(faults, each.where); });
    std::ranges::move(more, std::back_inserter(faults));
}

}  // namespace parley::fields
