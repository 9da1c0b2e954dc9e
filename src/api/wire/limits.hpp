// Requests and responses of /v1/api/limits.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct LimitView {
    std::string name;
    std::int64_t limit = 0;
    std::int64_t window_seconds = 0;
    std::int64_t remaining = 0;
    std::int64_t reset_seconds = 0;

    static constexpr fields::SchemaInfo schema_info{"Limit", "The state of one limit class."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = LimitView;
        return std::tuple(
            field("class", &View::name, "The limit class.",
                  one_of("chat", "auth", "general", "automation")),
            field("limit", &View::limit, "Requests per window; for `automation`, starts of runs.",
                  example(30)),
            field("window_seconds", &View::window_seconds, "Length of a window in seconds.",
                  example(60)),
            field("remaining", &View::remaining, "Requests remaining.", example(29)),
            field("reset_seconds", &View::reset_seconds, "Seconds until one more is allowed.",
                  example(60)));
    }
};

struct LimitsView {
    std::string object = "limits";
    std::vector<LimitView> data;

    static constexpr fields::SchemaInfo schema_info{"Limits", "The remaining limits."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("object", &LimitsView::object, "Always `limits`.", one_of("limits")),
            field("data", &LimitsView::data, "One for each class."));
    }
};

}  // namespace parley::api
