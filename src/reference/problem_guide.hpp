// The page about a problem beyond its explanation: likely causes, the remedy and an example.
#pragma once

#include "api/problem.hpp"

#include <boost/json/object.hpp>

#include <array>
#include <string_view>

namespace parley::reference {

struct ProblemGuide {
    Errc errc;
    std::array<std::string_view, 3> causes;  // Likely ones, the likeliest first; some may be empty.
    std::string_view remedy;
    std::string_view detail;  // Example of a detail.
};

const ProblemGuide& guide_to(Errc errc);

// A body as a client might get it.
boost::json::object example_of(const api::Problem& problem);

}  // namespace parley::reference
