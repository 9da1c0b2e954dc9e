#include "api/response_conversation.hpp"

#include "api/stored_turns.hpp"
#include "chat/history.hpp"
#include "engine/answer_reader.hpp"
#include "engine/tool_text.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace parley::api {
namespace {

using ItemKind = InputItem::Kind;

// The ids by which clients name calls, each with the id in the text of the conversation.
using CallIds = std::map<std::string, std::string>;

CallIds calls_of(const Previous& previous, const engine::Models& models)
{
    CallIds ids;
    if (!previous || !previous->answer) return ids;
    const AnswerForm form = form_of(*previous, models);
    const auto read =
        engine::read_answer(chat::text_of(previous->answer->parts), form.tools, form.tool_use);
    for (std::size_t i = 0; i < read.calls.size(); ++i)
        ids.emplace(call_id_of(form, read.calls[i].id, i), read.calls[i].id);
    return ids;
}

class Writer {
public:
    Writer(engine::ToolUse use, CallIds ids)
        : keeps_ids_(use == engine::ToolUse::passed_on), ids_(std::move(ids))
    {
    }

    // An item of the request that is no reference.
    void add(InputItem item)
    {
        if (item.kind == ItemKind::instructions)
            return append_paragraph(said_.instructions, item.text);
        if (item.kind != ItemKind::call) end_calls();
        if (item.kind != ItemKind::result) end_results();
        if (item.kind == ItemKind::call)
            add_call(item.call_id, std::move(item.name), std::move(item.text));
        else if (item.kind == ItemKind::result)
            add_result(std::move(item));
        else
            said_.turns.push_back({item.kind == ItemKind::user ? Speaker::user : Speaker::assistant,
                                   std::move(item.text)});
    }
    void add(ResponseItem item, std::size_t place)
    {
        if (item.is_call()) {
            add({ItemKind::call, std::move(*item.arguments), *item.call_id, *item.name, place});
        } else if (item.output) {
            add({ItemKind::result, std::move(*item.output), *item.call_id, "", place});
        } else {
            std::string text;
            for (const ResponsePart& part : *item.content) text += part.text;
            add({item.role == "user" ? ItemKind::user : ItemKind::assistant, std::move(text)});
        }
    }

    Result<Conversation> end()
    {
        end_calls();
        end_results();
        said_.turns = in_turn(std::move(said_.turns));
        if (said_.turns.empty() || said_.turns.back().speaker != Speaker::user)
            faults_.push_back({"#/input", "not_allowed",
                               "must end with a message of the user or the result of a call"});
        if (!faults_.empty()) return validation_failed(std::move(faults_));
        return std::move(said_);
    }

private:
    void add_call(const std::string& id, std::string name, std::string arguments)
    {
        std::string kept = keeps_ids_ ? id : std::string();
        ids_.insert_or_assign(id, kept);
        calls_.push_back(
            {.id = std::move(kept), .name = std::move(name), .arguments = std::move(arguments)});
    }

    // Calls that follow one another belong to the answer before them.
    void end_calls()
    {
        if (calls_.empty()) return;
        if (said_.turns.empty() || said_.turns.back().speaker != Speaker::assistant)
            said_.turns.push_back({Speaker::assistant, ""});
        std::string& text = said_.turns.back().text;
        text = engine::text_of_calls(std::move(text), calls_);
        calls_.clear();
    }

    void add_result(InputItem item)
    {
        const auto call = ids_.find(item.call_id);
        if (call == ids_.end()) {
            if (faults_.size() <= max_faults)
                faults_.push_back({"#/input/" + std::to_string(item.place) + "/call_id",
                                   "not_allowed", "must be the id of an earlier call"});
            return;
        }
        results_.push_back(
            {.id = keeps_ids_ ? call->second : std::string(), .text = std::move(item.text)});
    }

    // Results that follow one another are one turn.
    void end_results()
    {
        if (results_.empty()) return;
        said_.turns.push_back({Speaker::user, engine::text_of_results(results_)});
        results_.clear();
    }

    const bool keeps_ids_;
    CallIds ids_;  // All calls so far have these ids.
    Conversation said_;
    std::vector<engine::ToolCall> calls_;
    std::vector<engine::ToolResult> results_;
    Faults faults_;
};

Error no_such_item(const InputItem& reference)
{
    Error error = not_found("The item " + reference.text);
    error.faults.push_back({"#/input", "not_found", "was not found"});
    return error;
}

}  // namespace

void append_paragraph(std::string& text, const std::string& more)
{
    if (!text.empty() && !more.empty()) text += "\n\n";
    text += more;
}

Task<Result<Conversation>> conversation_of(StoredItems stored, const engine::Models& models,
                                           ResponseInput input, engine::ToolUse use,
                                           const Previous& previous)
{
    const auto references = std::ranges::count(input.items, ItemKind::reference, &InputItem::kind);
    if (std::cmp_greater(references, max_stored_turns))
        co_return validation_failed(
            {{"#/input", "too_long", "must have at most 500 references to items"}});
    Writer writer(use, calls_of(previous, models));
    for (InputItem& item : input.items) {
        if (item.kind != ItemKind::reference) {
            writer.add(std::move(item));
            continue;
        }
        auto found = co_await stored.find(item.text);
        if (!found && found.error().code == Errc::not_found) co_return no_such_item(item);
        if (!found) co_return found.error();
        writer.add(std::move(*found), item.place);
    }
    co_return writer.end();
}

}  // namespace parley::api
