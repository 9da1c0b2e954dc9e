// Faults in the body of a request, and their places.
//
// Threads: plain functions.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley::automation {

// Faults of a part of the body, `at` which it stands.
void add_faults(Faults& faults, std::string_view at, const Error& error);
Error fault_below(std::string_view at, const Error& error);

// Nothing without a text; a text that is no time is a fault.
std::optional<TimePoint> parse_time(const std::optional<std::string>& text,
                                    std::string_view pointer, Faults& faults);

}  // namespace parley::automation
