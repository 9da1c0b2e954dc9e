// Times in the query of a request.
#pragma once

#include "base/error.hpp"
#include "base/rfc3339.hpp"

#include <optional>
#include <string>

namespace parley::api {

// Nothing, and a fault, if the text is not a time.
inline std::optional<TimePoint> time_of(const std::optional<std::string>& text,
                                        const char* parameter, Faults& faults)
{
    if (!text) return std::nullopt;
    auto time = parse_rfc3339(*text);
    if (!time)
        faults.push_back({parameter, "wrong_format", "must be a time like 2026-01-31T09:30:00.000Z",
                          Fault::Location::parameter});
    return time;
}

}  // namespace parley::api
