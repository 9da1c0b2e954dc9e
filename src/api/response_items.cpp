#include "api/response_items.hpp"

#include "chat/parameters.hpp"

#include <memory>
#include <utility>

namespace parley::api {
namespace {

class ItemList {
public:
    explicit ItemList(const AnswerForm& form) : maker_(form) {}

    void add(std::vector<engine::AnswerPart> parts)
    {
        using Kind = engine::AnswerPart::Kind;
        for (const engine::AnswerPart& part : parts) {
            if (part.kind == Kind::call)
                items_.push_back(maker_.call(part));
            else if (part.kind == Kind::arguments)
                *items_.back().arguments += part.text;
            else
                add_text(part.text);
        }
    }
    std::vector<ResponseItem> take() && { return std::move(items_); }

private:
    void add_text(const std::string& text)
    {
        if (items_.empty() || items_.back().is_call()) {
            items_.push_back(maker_.message());
            items_.back().content->push_back(ResponsePart::output(""));
        }
        *items_.back().content->front().text += text;
    }

    ItemMaker maker_;
    std::vector<ResponseItem> items_;
};

}  // namespace

std::string last_part(std::string_view id) { return std::string(id.substr(id.find('_') + 1)); }

AnswerForm form_of(const store::RunWithMessages& whole, const engine::Models& models)
{
    AnswerForm form{.message = whole.run.answer, .base = last_part(whole.run.id)};
    const engine::Engine* engine = models.find(whole.run.model);
    if (!engine) return form;
    form.tools = chat::read_tools(whole.run.parameters);
    form.tool_use = engine->tool_use();
    return form;
}

AnswerForm form_of(const store::Message& message)
{
    static const auto any = std::make_shared<const engine::Tools>();
    return {.message = message.id,
            .base = last_part(message.id),
            .tools = any,
            .tool_use = engine::ToolUse::passed_on};
}

std::string call_id_of(const AnswerForm& form, const std::string& given, std::size_t index)
{
    return given.empty() ? "call_" + form.base + std::to_string(index) : given;
}

ResponseItem ItemMaker::message()
{
    std::string id = form_.message;
    if (items_ > 0) id.append("_").append(std::to_string(items_));
    ++items_;
    return ResponseItem::message(std::move(id), "assistant");
}

ResponseItem ItemMaker::call(const engine::AnswerPart& part)
{
    ++items_;
    const std::size_t index = calls_++;
    return ResponseItem::call("fc_" + last_part(form_.message) + "_" + std::to_string(index),
                              call_id_of(form_, part.id, index), part.name);
}

ResponseItem empty_message(const AnswerForm& form)
{
    ResponseItem item = ItemMaker(form).message();
    item.content->push_back(ResponsePart::output(""));
    return item;
}

std::vector<ResponseItem> items_of(const AnswerForm& form, std::string_view text, bool has_ended)
{
    engine::AnswerReader reader(form.tools, form.tool_use);
    ItemList list(form);
    list.add(reader.add(text));
    if (has_ended) list.add(reader.end());
    return std::move(list).take();
}

}  // namespace parley::api
