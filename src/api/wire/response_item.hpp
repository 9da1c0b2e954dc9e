// The items of responses in OpenAI's shape: messages of the user and of the model, calls of
// functions and their results.
#pragma once

#include "api/wire/forms.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <boost/json/object.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace parley::api {

inline constexpr auto id_of_item = fields::pattern("^(msg|fc|fco)_[0-9A-Za-z_]{1,36}$");

enum class ItemStatus { in_progress, completed, incomplete };

constexpr auto names_of(ItemStatus)
{
    return std::array{fields::Named{ItemStatus::in_progress, "in_progress"},
                      fields::Named{ItemStatus::completed, "completed"},
                      fields::Named{ItemStatus::incomplete, "incomplete"}};
}

// A part of a message. Texts of the model have two lists that are always empty here.
struct ResponsePart {
    std::string type = "output_text";
    std::optional<std::string> text = {};
    std::optional<std::string> image_url = {};
    std::optional<std::string> detail = {};
    std::optional<std::vector<boost::json::object>> annotations = {};
    std::optional<std::vector<boost::json::object>> logprobs = {};

    static ResponsePart output(std::string text)
    {
        ResponsePart part{.text = std::move(text)};
        part.annotations.emplace();
        part.logprobs.emplace();
        return part;
    }

    static ResponsePart image(std::string url)
    {
        return {.type = "input_image", .image_url = std::move(url), .detail = "auto"};
    }

    static constexpr fields::SchemaInfo schema_info{"ResponsePart", "A part of a message."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponsePart;
        return std::tuple(
            field("type", &This::type,
                  "`input_text` and `input_image` of a user, `output_text` of a model.",
                  one_of("input_text", "input_image", "output_text"), example("output_text")),
            field("text", &This::text, "Texts only: the text.", omit_if_absent, example("Hi!")),
            field("image_url", &This::image_url, "Images only: the path at which you can get it.",
                  omit_if_absent),
            field("detail", &This::detail, "Images only: always `auto`.", omit_if_absent,
                  one_of("auto")),
            field("annotations", &This::annotations, "Texts of a model only: always empty.",
                  omit_if_absent),
            field("logprobs", &This::logprobs, "Texts of a model only: always empty.",
                  omit_if_absent));
    }
};

// A message, a call of a function, or the result of one.
struct ResponseItem {
    std::string id = {};
    std::string type = "message";
    ItemStatus status = ItemStatus::completed;
    std::optional<std::string> role = {};
    std::optional<std::vector<ResponsePart>> content = {};
    std::optional<std::string> call_id = {};
    std::optional<std::string> name = {};
    std::optional<std::string> arguments = {};
    std::optional<std::string> output = {};

    static ResponseItem message(std::string id, std::string role)
    {
        ResponseItem item{.id = std::move(id), .role = std::move(role)};
        item.content.emplace();
        return item;
    }
    static ResponseItem call(std::string id, std::string call_id, std::string name)
    {
        return {.id = std::move(id),
                .type = "function_call",
                .call_id = std::move(call_id),
                .name = std::move(name),
                .arguments = ""};
    }
    static ResponseItem result(std::string id, std::string call_id, std::string output)
    {
        return {.id = std::move(id),
                .type = "function_call_output",
                .call_id = std::move(call_id),
                .output = std::move(output)};
    }

    bool is_call() const { return arguments.has_value(); }
    // The text of a message of the model, or the arguments of a call.
    const std::string& text() const { return is_call() ? *arguments : *content->front().text; }

    static constexpr fields::SchemaInfo schema_info{
        "ResponseItem", "A message, a call of a function, or its result."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseItem;
        return std::tuple(
            field("id", &This::id, "Id of the item; of a message, its own.",
                  example("msg_01J9ZQ8R0000000000000000AB"), id_of_item),
            field("type", &This::type, "The type of the item.",
                  one_of("message", "function_call", "function_call_output"), example("message")),
            field("status", &This::status, "Whether it is complete.",
                  example(ItemStatus::completed)),
            field("role", &This::role, "Messages only: the role of the author.",
                  one_of("user", "assistant"), omit_if_absent, example("assistant")),
            field("content", &This::content, "Messages only: the content.", omit_if_absent),
            field("call_id", &This::call_id, "Calls and results only: names the call.",
                  omit_if_absent),
            field("name", &This::name, "Calls only: the function.", omit_if_absent),
            field("arguments", &This::arguments, "Calls only: the arguments, as JSON in a text.",
                  omit_if_absent),
            field("output", &This::output, "Results only: the result.", omit_if_absent));
    }
};

struct ResponseItemList {
    std::string object = "list";
    std::vector<ResponseItem> data = {};
    std::string first_id = {};
    std::string last_id = {};
    bool has_more = false;

    static constexpr fields::SchemaInfo schema_info{"ResponseItemList", "The input of a response."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseItemList;
        return std::tuple(
            field("object", &This::object, "Always `list`.", one_of("list")),
            field("data", &This::data, "The items of this page."),
            field("first_id", &This::first_id, "Id of the first item; empty without items.",
                  example("msg_01J9ZQ8R0000000000000000AB")),
            field("last_id", &This::last_id,
                  "Id of the last item, for `after` of the next page; empty without items.",
                  example("msg_01J9ZQ8R0000000000000000AB")),
            field("has_more", &This::has_more, "Whether there are more items."));
    }
};

enum class ItemOrder { asc, desc };

constexpr auto names_of(ItemOrder)
{
    return std::array{fields::Named{ItemOrder::asc, "asc"}, fields::Named{ItemOrder::desc, "desc"}};
}

struct ResponseItemsQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    ItemOrder order = ItemOrder::desc;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseItemsQuery;
        return std::tuple(field("limit", &This::limit,
                                "Messages per page; one with calls or results is several items.",
                                range(1, 100), defaults_to(20)),
                          field("after", &This::after,
                                "The id of the last item of the previous page.", length(1, 64)),
                          field("order", &This::order, "Newest first, or oldest first.",
                                defaults_to(ItemOrder::desc)));
    }
};

}  // namespace parley::api
