#include "api/stored_items.hpp"

#include "chat/history.hpp"
#include "engine/tool_text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace parley::api {

std::string message_of_item(std::string_view item)
{
    const std::size_t begin = item.find('_');
    if (begin == item.npos) return {};
    const std::size_t end = item.find('_', begin + 1);
    return "msg" + std::string(item.substr(begin, end == item.npos ? end : end - begin));
}

Task<Result<AnswerForm>> StoredItems::form_of_answer(const store::Message& answer)
{
    if (!answer.run) co_return form_of(answer);
    auto run = co_await store_.runs().find_run(owner_, *answer.run);
    if (!run) co_return run.error();
    co_return form_of(*run, models_);
}

Task<Result<std::vector<ResponseItem>>> StoredItems::of_answer(const store::Message& answer)
{
    const std::string text = chat::text_of(answer.parts);
    AnswerForm form{.message = answer.id};
    if (engine::has_call_tag(text)) {
        auto read = co_await form_of_answer(answer);
        if (!read) co_return read.error();
        form = std::move(*read);
    }
    auto items = items_of(form, text, true);
    if (items.empty()) items.push_back(empty_message(form));
    if (!answer.run)
        for (ResponseItem& item : items)
            if (item.is_call())
                item.arguments = engine::given_arguments(std::move(*item.arguments));
    const StopReason reason = answer.stop_reason.value_or(StopReason::end_turn);
    if (reason != StopReason::end_turn && reason != StopReason::stop_sequence)
        items.back().status = ItemStatus::incomplete;
    co_return items;
}

// The ids of the calls that a question with results answers.
Task<Result<std::vector<std::string>>> StoredItems::calls_above(const store::Message& question)
{
    std::vector<std::string> ids;
    if (!question.parent) co_return ids;
    const auto answer = co_await store_.messages().find_message(owner_, *question.parent);
    if (!answer) co_return answer.error();
    const auto items = co_await of_answer(answer->message);
    if (!items) co_return items.error();
    for (const ResponseItem& item : *items)
        if (item.is_call()) ids.push_back(*item.call_id);
    co_return ids;
}

Task<Result<std::vector<ResponseItem>>> StoredItems::of_question(const store::Message& question)
{
    auto read = engine::read_results(chat::text_of(question.parts));
    std::vector<ResponseItem> items;
    if (!read.results.empty()) {
        const auto calls = co_await calls_above(question);
        if (!calls) co_return calls.error();
        for (std::size_t i = 0; i < read.results.size(); ++i) {
            engine::ToolResult& result = read.results[i];
            if (result.id.empty() && i < calls->size()) result.id = (*calls)[i];
            items.push_back(
                ResponseItem::result("fco_" + last_part(question.id) + "_" + std::to_string(i),
                                     std::move(result.id), std::move(result.text)));
        }
        if (read.text.empty()) co_return items;
    }
    items.push_back(ResponseItem::message(question.id, "user"));
    auto& content = *items.back().content;
    if (items.size() > 1)
        content.push_back({.type = "input_text", .text = std::move(read.text)});
    else
        for (const std::string& part : question.parts)
            content.push_back({.type = "input_text", .text = part});
    co_return items;
}

Task<Result<std::vector<ResponseItem>>> StoredItems::of(const store::Message& message)
{
    return message.speaker == Speaker::assistant ? of_answer(message) : of_question(message);
}

Task<Result<ResponseItem>> StoredItems::find(std::string id)
{
    const auto found = co_await store_.messages().find_message(owner_, message_of_item(id));
    if (!found) co_return found.error();
    auto items = co_await of(found->message);
    if (!items) co_return items.error();
    const auto item = std::ranges::find(*items, id, &ResponseItem::id);
    if (item == items->end()) co_return not_found("The item");
    co_return std::move(*item);
}

}  // namespace parley::api
