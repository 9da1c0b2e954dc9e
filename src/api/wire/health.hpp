// Requests and responses of /healthz and /readyz.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct Health {
    std::string status;
    std::optional<std::vector<std::string>> warnings = {};

    static constexpr fields::SchemaInfo schema_info{"Health", "The state of the server."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("status", &Health::status, "`ok` or `ready`."),
            field("warnings", &Health::warnings,
                  "`/readyz` only: problems for the operator to fix, although the server "
                  "is ready. Absent: nothing.",
                  omit_if_absent));
    }
};

}  // namespace parley::api
