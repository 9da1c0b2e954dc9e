// Adds a fault to those of a request: the first max_faults are listed, further ones are counted
// (base/error.hpp).
#pragma once

#include "base/error.hpp"

namespace parley::fields {

void add_fault(Faults& faults, Fault fault);

}  // namespace parley::fields
