#include "api/wire/message.hpp"

#include "fields/read.hpp"
#include "fields/schema.hpp"
#include "fields/write.hpp"

namespace parley::api {

bool Content::read(const boost::json::value& value, const fields::FieldPath& at)
{
    parts.clear();
    if (const auto* text = value.if_string()) {
        parts.emplace_back(*text);
    } else if (value.is_array()) {
        std::vector<ContentPart> given;
        const std::size_t faults = at.reading().faults.size();
        if (!fields::detail::read_value(given, value, at)) return false;
        if (at.reading().faults.size() > faults)
            return false;  // After other faults, a fault about
                           // the size would be noise.
        if (given.empty() || given.size() > max_content_parts) {
            fields::length(1, max_content_parts).check(given, at);
            return false;
        }
        for (ContentPart& part : given) parts.push_back(std::move(part.text));
    } else {
        at.fault("wrong_type", "must be a text or a list of content parts");
        return false;
    }
    std::size_t size = 0;
    for (const std::string& part : parts) size += part.size();
    fields::detail::check_count(size, 1, max_message_bytes, "byte", at);
    return true;
}

boost::json::object Content::schema()
{
    // Without its name: the schema of that name describes responses and allows additional fields.
    boost::json::object part = fields::schema<ContentPart>();
    part.erase("title");
    part.erase("summary");
    boost::json::object parts_of_it{{"type", "array"},
                                    {"items", std::move(part)},
                                    {"minItems", 1},
                                    {"maxItems", max_content_parts}};
    boost::json::object text{
        {"type", "string"}, {"minLength", 1}, {"maxLength", max_message_bytes}};
    return {{"oneOf", {std::move(text), std::move(parts_of_it)}}, {"examples", {"Hello"}}};
}

boost::json::value Content::to_json() const
{
    boost::json::array list;
    for (const std::string& part : parts)
        list.push_back(boost::json::object{{"type", "text"}, {"text", part}});
    return list;
}

}  // namespace parley::api
