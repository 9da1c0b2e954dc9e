// What travels over /docs/guides.
#pragma once

#include "base/field.hpp"

#include <string>
#include <tuple>

namespace parley::api {

struct GuidePath {
    std::string guide;

    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(
            field("guide", &GuidePath::guide, "The name of a guide.", example("first-call")));
    }
};

}  // namespace parley::api
