#include "api/tagged.hpp"

#include <string>
#include <string_view>

namespace parley::api {

std::string entity_tag(std::int64_t revision) { return "\"" + std::to_string(revision) + "\""; }

bool matches(const http::RequestHead& head, std::int64_t revision)
{
    const std::string wanted = entity_tag(revision);
    bool any = false;
    for (const http::Field& field : head.fields) {
        if (!http::same_name(field.name, "if-match")) continue;
        any = true;
        // Our tags have no commas, so that one inside somebody else's cannot make it one of ours.
        for (std::string_view rest = field.value; !rest.empty();) {
            const std::size_t comma = rest.find(',');
            std::string_view tag = rest.substr(0, comma);
            while (!tag.empty() && (tag.front() == ' ' || tag.front() == '\t'))
                tag.remove_prefix(1);
            while (!tag.empty() && (tag.back() == ' ' || tag.back() == '\t')) tag.remove_suffix(1);
            if (tag == wanted || tag == "*") return true;
            rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        }
    }
    return !any;
}

}  // namespace parley::api
