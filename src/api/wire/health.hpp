// Requests and responses of /healthz and /readyz.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <string>
#include <tuple>

namespace parley::api {

struct Health {
    std::string status;

    static constexpr fields::SchemaInfo schema_info{"Health", "The state of the server."};
    static constexpr auto fields()
    {
        return std::tuple(fields::field("status", &Health::status, "`ok` or `ready`."));
    }
};

}  // namespace parley::api
