// Adds faults to those of a request: the first max_faults are listed, further ones are counted
// (base/error.hpp).
#pragma once

#include "base/error.hpp"

#include <string_view>

namespace parley::fields {

void add_fault(Faults& faults, Fault fault);

// Whether the value at this pointer, or one that contains it, has a fault.
bool is_refused(const Faults& faults, std::string_view where);

// Adds the faults of rules that are checked after the fields were read. A value with a fault gets
// no second one: it may not have been read.
void add_unless_refused(Faults& faults, Faults more);

}  // namespace parley::fields
