// What every list travels as, and what is asked of it.
#pragma once

#include "base/field.hpp"
#include "base/field_notes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace parley::api {

// "UserList" of "User".
template <wire::Travels T>
inline constexpr auto list_name = [] {
    constexpr std::string_view item = T::noun.name;
    constexpr std::string_view list = "List";
    std::array<char, item.size() + list.size()> name{};
    std::ranges::copy(list, std::ranges::copy(item, name.begin()).out);
    return name;
}();

template <wire::Travels T>
struct List {
    std::string object = "list";
    std::vector<T> data;
    bool has_more = false;
    std::optional<std::string> next_cursor;

    static constexpr wire::Noun noun{{list_name<T>.data(), list_name<T>.size()},
                                     "A page of a list."};
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
