// What travels over /healthz and /readyz.
#pragma once

#include "base/field.hpp"
#include "base/field_notes.hpp"

#include <string>
#include <tuple>

namespace parley::api {

struct Health {
    std::string status;

    static constexpr wire::Noun noun{"Health", "The state of the server."};
    static constexpr auto fields()
    {
        return std::tuple(wire::field("status", &Health::status, "`ok` or `ready`."));
    }
};

}  // namespace parley::api
