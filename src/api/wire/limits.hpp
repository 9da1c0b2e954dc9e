// What travels over /v1/api/limits.
#pragma once

#include "base/field.hpp"
#include "base/field_notes.hpp"

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

    static constexpr wire::Noun noun{"Limit", "How one class of requests stands."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = LimitView;
        return std::tuple(
            field("class", &View::name, "Which requests it counts.",
                  one_of("chat", "auth", "general")),
            field("limit", &View::limit, "So many in any window.", example(30)),
            field("window_seconds", &View::window_seconds, "How long a window is.", example(60)),
            field("remaining", &View::remaining, "So many are left now.", example(29)),
            field("reset_seconds", &View::reset_seconds, "Until one more is free.", example(60)));
    }
};

struct LimitsView {
    std::string object = "limits";
    std::vector<LimitView> data;

    static constexpr wire::Noun noun{"Limits", "What is left of all limits."};
    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(
            field("object", &LimitsView::object, "Always `limits`.", one_of("limits")),
            field("data", &LimitsView::data, "One for each class."));
    }
};

}  // namespace parley::api
