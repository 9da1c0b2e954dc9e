#include "fields/add_fault.hpp"

#include <cstdlib>
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

}  // namespace parley::fields
