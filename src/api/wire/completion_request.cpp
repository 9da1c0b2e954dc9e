#include "api/wire/completion_request.hpp"

#include "fields/read.hpp"
#include "fields/schema.hpp"

#include <memory>
#include <utility>

namespace parley::api {
namespace {

struct PartType {
    std::string type;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("type", &PartType::type, "The type of the part.", example("text")));
    }
};

struct TextPart {
    std::string text;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("text", &TextPart::text, "The text.", example("Hello")));
    }
};

struct AddressOfImage {
    std::string url;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("url", &AddressOfImage::url, "The address of the image."));
    }
};

struct ImagePart {
    AddressOfImage image_url;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("image_url", &ImagePart::image_url, "The image."));
    }
};

}  // namespace

void TokensOrNone::check(std::int64_t number, const fields::FieldPath& at) const
{
    if (number != -1) fields::range(1, static_cast<double>(max)).check(number, at);
}

void TokensOrNone::describe(boost::json::object& schema) const
{
    schema["minimum"] = -1;
    schema["maximum"] = max;
    schema["not"] = {{"const", 0}};
}

bool CompletionContent::read(const boost::json::value& value, const fields::FieldPath& at)
{
    text.clear();
    images.clear();
    if (const auto* plain = value.if_string()) {
        text = *plain;
        return true;
    }
    const auto* parts = value.if_array();
    if (!parts) {
        at.fault("wrong_type", "must be a text or a list of content parts");
        return false;
    }
    for (std::size_t i = 0; i < parts->size() && !at.enough(); ++i) add((*parts)[i], at.item(i));
    return true;
}

void CompletionContent::add(const boost::json::value& part, const fields::FieldPath& at)
{
    const std::size_t faults = at.reading().faults.size();
    const auto read = [&](auto& out) {
        return fields::detail::read_value(out, part, at) && at.reading().faults.size() == faults;
    };
    PartType of;
    if (!read(of)) return;
    TextPart said;
    ImagePart shown;
    if (of.type == "text") {
        if (read(said)) text += said.text;
    } else if (of.type == "image_url") {
        if (read(shown))
            images.push_back(
                {.at = text.size(),
                 .url = std::make_shared<const std::string>(std::move(shown.image_url.url)),
                 .where = at.where()});
    } else {
        at.fault("unsupported_parameter", "this model supports only parts of type text");
    }
}

boost::json::object CompletionContent::schema()
{
    boost::json::object part{
        {"type", "object"},
        {"required", {"type"}},
        {"properties",
         {{"type",
           {{"type", "string"},
            {"description",
             "`text`, `image_url` (for models with `capabilities.vision`), or another type that "
             "the "
             "model supports."}}},
          {"text", {{"type", "string"}, {"description", "The text of a part of type `text`."}}},
          {"image_url",
           {{"type", "object"},
            {"description",
             "The image of a part of type `image_url`. Its `url` is `data:TYPE;base64,…`, or an "
             "address that only the upstream fetches; to be stored, only the former."}}}}}};
    boost::json::object list{{"type", "array"}, {"items", std::move(part)}};
    boost::json::object text{{"type", "string"}};
    boost::json::object nothing{{"type", "null"}};
    return {{"oneOf", {std::move(text), std::move(list), std::move(nothing)}},
            {"examples", {"Hello"}}};
}

boost::json::value CompletionContent::to_json() const { return boost::json::string(text); }

}  // namespace parley::api
