// The limits of a user or a token in requests and responses.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <tuple>

namespace parley::api {

struct OwnLimitsView {
    std::optional<std::int64_t> chat = {};
    std::optional<std::int64_t> general = {};
    std::optional<std::int64_t> automation = {};

    static constexpr fields::SchemaInfo schema_info{
        "OwnLimits",
        "Requests per minute instead of the server's limits; for a token, at most its user's."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = OwnLimitsView;
        return std::tuple(
            field("chat", &View::chat,
                  "Requests of class `chat`. Null: the server's limit, or for a token its user's.",
                  range(1, 1000), example(300)),
            field(
                "general", &View::general,
                "Requests of class `general`. Null: the server's limit, or for a token its user's.",
                range(1, 1000)),
            field("automation", &View::automation,
                  "Runs started by automations; further ones wait. Of a token: runs that it starts "
                  "or retries by hand. Null: the server's limit, or for a token its user's.",
                  range(1, 1000)));
    }
};

struct OwnLimitsPatch {
    fields::Nullable<std::int64_t> chat = {};
    fields::Nullable<std::int64_t> general = {};
    fields::Nullable<std::int64_t> automation = {};

    static constexpr fields::SchemaInfo schema_info{
        "OwnLimitsChange", "Limits to set; null clears a limit, absent fields do not change."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = OwnLimitsPatch;
        return std::tuple(
            field("chat", &This::chat, "Requests of class `chat` per minute.", range(1, 1000),
                  example(300)),
            field("general", &This::general, "Requests of class `general` per minute.",
                  range(1, 1000), example(500)),
            field(
                "automation", &This::automation,
                "Runs per minute that automations start; further ones wait. Of a token: runs that "
                "it starts or retries by hand.",
                range(1, 1000), example(60)));
    }
};

}  // namespace parley::api
