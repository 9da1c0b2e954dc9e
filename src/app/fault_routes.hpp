// Lets a test break the disk under a running server: part of test builds alone, and there only with
// the setting test.faults.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::app {

std::vector<api::Route> fault_routes();

}  // namespace parley::app
