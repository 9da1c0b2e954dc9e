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
template <wire::WireStruct T>
inline constexpr auto list_name = [] {
    constexpr std::string_view item = T::noun.name;
    constexpr std::string_view list = "List";
    std::array<char, item.size() + list.size()> name{};
    std::ranges::copy(list, std::ranges::copy(item, name.begin()).out);
    return name;
}();

template <wire::WireStruct T>
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
            field("next_cursor", &List::next_cursor, "Send it as `after` to get the next page."));
    }
};

// What every query of a list declares.
template <class Struct>
constexpr auto page_limit(std::int64_t Struct::* member)
{
    return wire::field("limit", member, "Items on a page.", wire::range(1, 100),
                       wire::defaults_to(20));
}
template <class Struct>
constexpr auto page_after(std::optional<std::string> Struct::* member)
{
    return wire::field("after", member,
                       "The `next_cursor` of the page before; without it the first page.",
                       wire::length(1, 512));
}

struct PageQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;

    static constexpr auto fields()
    {
        return std::tuple(page_limit(&PageQuery::limit), page_after(&PageQuery::after));
    }
};

}  // namespace parley::api
