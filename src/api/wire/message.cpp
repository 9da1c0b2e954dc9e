#include "api/wire/message.hpp"

#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "fields/read.hpp"
#include "fields/schema.hpp"
#include "fields/write.hpp"

#include <memory>

namespace parley::api {
namespace {

// A part of a new message.
struct NewPart {
    std::string type;
    std::optional<std::string> text;
    std::optional<std::string> url;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = NewPart;
        return std::tuple(
            field("type", &This::type, "The type of the part.", one_of("text", "image")),
            field("text", &This::text, "Texts only: the text, stored byte for byte.",
                  example("Hello")),
            field(
                "url", &This::url,
                "Images only: `data:TYPE;base64,…` with PNG, JPEG, GIF or WebP, or the `url` of an "
                "image in an earlier message. Only for models with `capabilities.vision`."));
    }
};

// Each type has one field of its own.
bool has_its_field(const NewPart& part, const fields::FieldPath& at)
{
    const bool is_text = part.type == "text";
    const auto& own = is_text ? part.text : part.url;
    const auto& other = is_text ? part.url : part.text;
    if (!own) at.member(is_text ? "text" : "url").fault("required", "is required");
    if (other)
        at.member(is_text ? "url" : "text")
            .fault("not_allowed", "a part of this type does not have it");
    return own && !other;
}

}  // namespace

void Content::add(const boost::json::value& part, const fields::FieldPath& at)
{
    NewPart given;
    const std::size_t faults = at.reading().faults.size();
    if (!fields::detail::read_value(given, part, at)) return;
    if (at.reading().faults.size() > faults || !has_its_field(given, at)) return;
    if (given.text)
        parts.push_back(std::move(*given.text));
    else
        images.push_back({.at = parts.size(),
                          .url = std::make_shared<const std::string>(std::move(*given.url)),
                          .where = at.member("url").where()});
}

bool Content::read(const boost::json::value& value, const fields::FieldPath& at)
{
    parts.clear();
    images.clear();
    if (const auto* text = value.if_string()) {
        parts.emplace_back(*text);
    } else if (const auto* list = value.if_array()) {
        const std::size_t faults = at.reading().faults.size();
        for (std::size_t i = 0; i < list->size() && !at.enough(); ++i) add((*list)[i], at.item(i));
        if (at.reading().faults.size() > faults)
            return false;  // After other faults, a fault about
                           // the size would be noise.
        if (list->empty() || list->size() > max_content_parts) {
            fields::detail::check_count(list->size(), 1, max_content_parts, "item", at);
            return false;
        }
    } else {
        at.fault("wrong_type", "must be a text or a list of content parts");
        return false;
    }
    std::size_t size = 0;
    for (const std::string& part : parts) size += part.size();
    fields::detail::check_count(size, images.empty() ? 1 : 0, max_message_bytes, "byte", at);
    return true;
}

boost::json::object Content::schema()
{
    boost::json::object part = fields::schema<NewPart>();
    boost::json::object parts_of_it{{"type", "array"},
                                    {"items", std::move(part)},
                                    {"minItems", 1},
                                    {"maxItems", max_content_parts}};
    boost::json::object text{
        {"type", "string"}, {"minLength", 1}, {"maxLength", max_message_bytes}};
    return {{"oneOf", {std::move(text), std::move(parts_of_it)}}, {"examples", {"Hello"}}};
}

// Images by their hash: the fingerprints of requests are made of this.
boost::json::value Content::to_json() const
{
    boost::json::array list;
    auto image = images.begin();
    for (std::size_t i = 0; i <= parts.size(); ++i) {
        for (; image != images.end() && image->at <= i; ++image)
            list.push_back(
                boost::json::object{{"type", "image"}, {"sha256", to_hex(sha256(*image->url))}});
        if (i < parts.size())
            list.push_back(boost::json::object{{"type", "text"}, {"text", parts[i]}});
    }
    return list;
}

}  // namespace parley::api
