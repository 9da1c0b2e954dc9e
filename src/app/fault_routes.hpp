// Lets a test break the disk of a running server: only in test builds, and only with the setting
// test.faults.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::app {

std::vector<api::Route> fault_routes();

}  // namespace parley::app
