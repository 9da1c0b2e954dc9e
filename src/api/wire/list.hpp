// The response and the query of every list.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace parley::api {

// "User" becomes "UserList".
template <fields::WireStruct T>
inline constexpr auto list_name = [] {
    constexpr std::string_view item = T::schema_info.name;
    constexpr std::string_view list = "List";
    std::array<char, item.size() + list.size()> name{};
    std::ranges::copy(list, std::ranges::copy(item, name.begin()).out);
    return name;
}();

template <fields::WireStruct T>
struct List {
    std::string object = "list";
    std::vector<T> data;
    bool has_more = false;
    std::optional<std::string> next_cursor;

    static constexpr fields::SchemaInfo schema_info{{list_name<T>.data(), list_name<T>.size()},
                                                    "A page of a list."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("object", &List::object, "Always `list`.", one_of("list")),
            field("data", &List::data, "This page of the list."),
            field("has_more", &List::has_more, "Whether another page follows."),
            field("next_cursor", &List::next_cursor, "Send it as `after` to get the next page."));
    }
};

// Fields of every list query.
template <class Struct>
constexpr auto page_limit(std::int64_t Struct::* member)
{
    return fields::field("limit", member, "Items on a page.", fields::range(1, 100),
                         fields::defaults_to(20));
}
template <class Struct>
constexpr auto page_after(std::optional<std::string> Struct::* member)
{
    return fields::field("after", member,
                         "The `next_cursor` of the previous page; absent: the first page.",
                         fields::length(1, 512));
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
