// What every list travels as, and what is asked of it.
#pragma once

#include "base/field.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

template <wire::Travels T>
struct List {
    std::string object = "list";
    std::vector<T> data;
    bool has_more = false;
    std::optional<std::string> next_cursor;

    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(
            field("object", &List::object, "Always `list`.", one_of("list")),
            field("data", &List::data, "This page of the list."),
            field("has_more", &List::has_more, "Whether another page follows."),
            field("next_cursor", &List::next_cursor, "Send it as `after` for the next page."));
    }
};

struct PageQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;

    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(
            field("limit", &PageQuery::limit, "Items on a page.", range(1, 100), defaults_to(20)),
            field("after", &PageQuery::after,
                  "The `next_cursor` of the page before; without it the first page.",
                  length(1, 512)));
    }
};

}  // namespace parley::api
