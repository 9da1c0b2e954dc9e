#include "api/with_etag.hpp"

#include "api/field_value.hpp"

#include <string>
#include <string_view>

namespace parley::api {

std::string entity_tag(std::int64_t revision) { return "\"" + std::to_string(revision) + "\""; }

bool names_tag(std::string_view list, std::string_view tag)
{
    while (!list.empty()) {
        const std::string_view named = take_until(',', list);
        if (named == tag || named == "*") return true;
    }
    return false;
}

bool matches(const http::RequestHead& head, std::int64_t revision)
{
    const std::string wanted = entity_tag(revision);
    bool any = false;
    for (const http::Field& field : head.fields) {
        if (!http::same_name(field.name, "if-match")) continue;
        any = true;
        if (names_tag(field.value, wanted)) return true;
    }
    return !any;
}

}  // namespace parley::api
