// What the page about a problem says beyond its explanation, for whoever meets it: what may have
// led to it, what to do, and how it looks.
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
    std::string_view detail;  // As an occurrence might have it.
};

const ProblemGuide& guide_to(Errc errc);

// A body as a client might get it.
boost::json::object example_of(const api::Problem& problem);

}  // namespace parley::reference
