#include "api/stored_items.hpp"

#include "chat/history.hpp"
#include "chat/images.hpp"

#include <optional>
#include <utility>

namespace parley::api {
namespace {

std::vector<ResponsePart> parts_of(const chat::Content& said)
{
    std::vector<ResponsePart> parts;
    auto image = said.images.begin();
    for (std::size_t i = 0; i <= said.parts.size(); ++i) {
        for (; image != said.images.end() && image->after <= i; ++image)
            parts.push_back(ResponsePart::image(path_of_image(image->sha256)));
        if (i < said.parts.size()) parts.push_back({.type = "input_text", .text = said.parts[i]});
    }
    return parts;
}

}  // namespace

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

// The results in a question. Nothing if their calls are not known, for example because their model
// is no longer configured: then both are text.
Task<Result<engine::ReadTurn>> StoredItems::results_in(const store::Message& question)
{
    if (!question.structured) co_return engine::ReadTurn();
    auto read = engine::read_turn(chat::turn_of(question.speaker, question.parts, question.images));
    const auto calls = co_await calls_above(question);
    if (!calls) co_return calls.error();
    for (std::size_t i = 0; i < read.results.size(); ++i) {
        std::string& id = read.results[i].id;
        if (id.empty() && i < calls->size()) id = (*calls)[i];
        if (id.empty()) co_return engine::ReadTurn();
    }
    co_return read;
}

Task<Result<std::vector<ResponseItem>>> StoredItems::of_question(const store::Message& question)
{
    auto read = co_await results_in(question);
    if (!read) co_return read.error();
    std::vector<ResponseItem> items;
    for (engine::ToolResult& result : read->results)
        items.push_back(ResponseItem::result(
            "fco_" + last_part(question.id) + "_" + std::to_string(items.size()),
            std::move(result.id), std::move(result.text)));
    chat::Content said{question.parts, question.images};
    if (!items.empty()) {
        if (read->question.text.empty() && read->question.images.empty()) co_return items;
        said = chat::content_of(std::move(read->question));
    }
    items.push_back(ResponseItem::message(question.id, "user"));
    items.back().content = parts_of(said);
    co_return items;
}

Task<Result<std::vector<ResponseItem>>> StoredItems::of(const store::Message& message)
{
    return message.speaker == Speaker::assistant ? of_answer(message) : of_question(message);
}

Task<Result<std::vector<ResponseItem>>> StoredItems::of_message(std::string id)
{
    const auto found = co_await store_.messages().find_message(owner_, std::move(id));
    if (!found) co_return found.error();
    co_return co_await of(found->message);
}

}  // namespace parley::api
