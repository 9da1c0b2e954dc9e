#include "api/wire/response_request.hpp"

#include "fields/read.hpp"
#include "fields/schema.hpp"

#include <boost/json/array.hpp>

#include <memory>
#include <utility>

namespace parley::api {
namespace {

using ItemKind = InputItem::Kind;

struct ItemType {
    std::optional<std::string> type;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("type", &ItemType::type, "The type of the item."));
    }
};

struct TypeOfPart {
    std::string type;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("type", &TypeOfPart::type, "The type of the part."));
    }
};

struct TextOfPart {
    std::string text;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("text", &TextOfPart::text, "The text."));
    }
};

struct RefusalOfPart {
    std::string refusal;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("refusal", &RefusalOfPart::refusal, "The text of a refusal."));
    }
};

struct ReferenceItem {
    std::string id;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("id", &ReferenceItem::id, "The id of a stored item.", length(1, 64)));
    }
};

struct ImageOfPart {
    std::string image_url;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("image_url", &ImageOfPart::image_url, "The address of the image."));
    }
};

// Reads an object and says whether it had no faults.
template <class T>
bool read_well(T& out, const boost::json::value& value, const fields::FieldPath& at)
{
    const std::size_t faults = at.reading().faults.size();
    return fields::detail::read_value(out, value, at) && at.reading().faults.size() == faults;
}

// The content of a message or of a result: a text, or parts.
class InputContent {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at)
    {
        if (const auto* plain = value.if_string()) {
            text = *plain;
            return true;
        }
        const auto* parts = value.if_array();
        if (!parts) {
            at.fault("wrong_type", "must be a text or a list of content parts");
            return false;
        }
        for (std::size_t i = 0; i < parts->size() && !at.enough(); ++i)
            add((*parts)[i], at.item(i));
        return true;
    }
    static boost::json::object schema() { return {}; }
    boost::json::value to_json() const { return boost::json::string(text); }

    std::string text;
    std::vector<InputImage> images;

private:
    void add(const boost::json::value& value, const fields::FieldPath& at)
    {
        TypeOfPart part;
        if (!read_well(part, value, at)) return;
        if (part.type == "refusal") {
            RefusalOfPart said;
            if (read_well(said, value, at)) text += said.refusal;
        } else if (part.type == "input_text" || part.type == "output_text" || part.type == "text") {
            TextOfPart said;
            if (read_well(said, value, at)) text += said.text;
        } else if (part.type == "input_image") {
            ImageOfPart shown;
            if (read_well(shown, value, at))
                images.push_back(
                    {.at = text.size(),
                     .url = std::make_shared<const std::string>(std::move(shown.image_url)),
                     .where = at.where()});
        } else {
            at.fault("unsupported_parameter",
                     "this model supports only parts of type input_text and output_text");
        }
    }
};

struct MessageItem {
    std::string role;
    InputContent content;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = MessageItem;
        return std::tuple(field("role", &This::role, "The role of the author.",
                                one_of("user", "assistant", "system", "developer")),
                          field("content", &This::content, "The content."));
    }
};

// OpenAI's limits are tighter.
constexpr auto length_of_call_id = fields::length(1, 256);
constexpr auto length_of_name = fields::length(1, 128);

struct CallItem {
    std::string call_id;
    std::string name;
    std::string arguments;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = CallItem;
        return std::tuple(
            field("call_id", &This::call_id, "The id of the call.", length_of_call_id),
            field("name", &This::name, "The function.", length_of_name),
            field("arguments", &This::arguments, "The arguments."));
    }
};

struct ResultItem {
    std::string call_id;
    InputContent output;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResultItem;
        return std::tuple(
            field("call_id", &This::call_id, "The id of the call.", length_of_call_id),
            field("output", &This::output, "The result."));
    }
};

ItemKind kind_of(std::string_view role)
{
    if (role == "user") return ItemKind::user;
    return role == "assistant" ? ItemKind::assistant : ItemKind::instructions;
}

// Nothing if it has faults, or is to be ignored.
std::optional<InputItem> item_of(const boost::json::value& value, const fields::FieldPath& at)
{
    ItemType item;
    if (!read_well(item, value, at)) return {};
    const std::string type = item.type.value_or("message");
    if (type == "message") {
        MessageItem message;
        if (!read_well(message, value, at)) return {};
        InputItem said{kind_of(message.role), std::move(message.content.text)};
        said.images = std::move(message.content.images);
        return said;
    }
    if (type == "function_call") {
        CallItem call;
        if (!read_well(call, value, at)) return {};
        return InputItem{ItemKind::call, std::move(call.arguments), std::move(call.call_id),
                         std::move(call.name)};
    }
    if (type == "function_call_output") {
        ResultItem result;
        if (!read_well(result, value, at)) return {};
        InputItem returned{ItemKind::result, std::move(result.output.text),
                           std::move(result.call_id)};
        returned.images = std::move(result.output.images);
        return returned;
    }
    if (type == "item_reference") {
        ReferenceItem reference;
        if (!read_well(reference, value, at)) return {};
        return InputItem{ItemKind::reference, std::move(reference.id)};
    }
    if (type != "reasoning")
        at.member("type").fault("unsupported_parameter", "this model does not support such items");
    return {};
}

}  // namespace

bool ResponseInput::read(const boost::json::value& value, const fields::FieldPath& at)
{
    items.clear();
    if (const auto* text = value.if_string()) {
        items.push_back({ItemKind::user, std::string(*text)});
        return true;
    }
    const auto* list = value.if_array();
    if (!list) {
        at.fault("wrong_type", "must be a text or a list of items");
        return false;
    }
    fields::detail::check_count(list->size(), 1, max_items, "item", at);
    if (list->size() > max_items) return false;
    for (std::size_t i = 0; i < list->size() && !at.enough(); ++i) {
        auto item = item_of((*list)[i], at.item(i));
        if (!item) continue;
        item->place = i;
        items.push_back(std::move(*item));
    }
    return true;
}

boost::json::value ResponseInput::to_json() const
{
    boost::json::array list;
    for (const InputItem& item : items) list.emplace_back(boost::json::string(item.text));
    return list;
}

}  // namespace parley::api
