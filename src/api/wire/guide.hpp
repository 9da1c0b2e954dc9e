// Requests and responses of /docs/guides.
#pragma once

#include "fields/fields.hpp"

#include <string>
#include <tuple>

namespace parley::api {

struct GuidePath {
    std::string guide;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("guide", &GuidePath::guide, "The name of a guide.", example("first-call")));
    }
};

}  // namespace parley::api
