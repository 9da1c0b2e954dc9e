#include "api/response_conversation.hpp"

#include "api/results_in_order.hpp"
#include "api/stored_turns.hpp"
#include "chat/history.hpp"
#include "engine/answer_reader.hpp"
#include "engine/question_turn.hpp"
#include "fields/add_fault.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace parley::api {
namespace {

using ItemKind = InputItem::Kind;

// A call in the text of the conversation.
struct KnownCall {
    std::string id;         // Empty for a model that writes none.
    std::size_t place = 0;  // Among all calls.
};
// By the ids by which clients name calls.
using CallIds = std::map<std::string, KnownCall>;

CallIds calls_of(const Previous& previous, const engine::Models& models)
{
    CallIds ids;
    if (!previous || !previous->answer) return ids;
    const AnswerForm form = form_of(*previous, models);
    const auto read =
        engine::read_answer(chat::text_of(previous->answer->parts), form.tools, form.tool_use);
    for (std::size_t i = 0; i < read.calls.size(); ++i)
        ids.emplace(call_id_of(form, read.calls[i].id, i), KnownCall{read.calls[i].id, i});
    return ids;
}

class Writer {
public:
    Writer(engine::ToolUse use, CallIds ids, RequestImages& images)
        : keeps_ids_(use == engine::ToolUse::passed_on), ids_(std::move(ids)), images_(images)
    {
    }

    // An item of the request that is no reference.
    void add(InputItem item)
    {
        if (item.kind != ItemKind::user) RequestImages::refuse(item.images, faults_);
        if (item.kind == ItemKind::instructions)
            return append_paragraph(said_.instructions, item.text);
        if (item.kind != ItemKind::call) end_calls();
        if (item.kind != ItemKind::result) end_results();
        if (item.kind == ItemKind::call)
            add_call(item.call_id, std::move(item.name), std::move(item.text));
        else if (item.kind == ItemKind::result)
            add_result(std::move(item));
        else if (item.kind == ItemKind::user)
            add_question(std::move(item));
        else
            said_.turns.push_back({Speaker::assistant, engine::text_of_calls(item.text, {})});
    }
    void add(ResponseItem item, std::size_t place)
    {
        if (item.is_call()) {
            add({ItemKind::call, std::move(*item.arguments), *item.call_id, *item.name, place});
        } else if (item.output) {
            add({ItemKind::result, std::move(*item.output), *item.call_id, "", place});
        } else {
            InputItem said{item.role == "user" ? ItemKind::user : ItemKind::assistant};
            for (const ResponsePart& part : *item.content) {
                said.text += part.text.value_or("");
                if (part.image_url)
                    said.images.push_back(
                        {.at = said.text.size(),
                         .url = std::make_shared<const std::string>(*part.image_url),
                         .where = "#/input/" + std::to_string(place)});
            }
            add(std::move(said));
        }
    }

    Result<Conversation> end()
    {
        end_calls();
        end_results();
        said_.turns = in_turn(std::move(said_.turns));
        // A result that was refused is no turn.
        if (faults_.empty() && (said_.turns.empty() || said_.turns.back().speaker != Speaker::user))
            faults_.push_back({"#/input", "not_allowed",
                               "must end with a message of the user or the result of a call"});
        if (!faults_.empty()) return validation_failed(std::move(faults_));
        return std::move(said_);
    }

private:
    void add_question(InputItem item)
    {
        engine::Turn turn{Speaker::user, std::move(item.text)};
        for (const InputImage& image : item.images)
            if (auto taken = images_.take(image, faults_)) turn.images.push_back(std::move(*taken));
        engine::escape_question(turn);
        said_.turns.push_back(std::move(turn));
    }

    void add_call(const std::string& id, std::string name, std::string arguments)
    {
        std::string kept = keeps_ids_ ? id : std::string();
        ids_.insert_or_assign(id, KnownCall{kept, places_++});
        calls_.push_back(
            {.id = std::move(kept), .name = std::move(name), .arguments = std::move(arguments)});
    }

    // Calls that follow one another belong to the answer before them.
    void end_calls()
    {
        if (calls_.empty()) return;
        if (said_.turns.empty() || said_.turns.back().speaker != Speaker::assistant)
            said_.turns.push_back({Speaker::assistant, ""});
        engine::append_calls(said_.turns.back().text, calls_);
        calls_.clear();
    }

    void add_result(InputItem item)
    {
        const auto call = ids_.find(item.call_id);
        if (call == ids_.end()) {
            fields::add_fault(faults_, {"#/input/" + std::to_string(item.place) + "/call_id",
                                        "not_allowed", "must be the id of an earlier call"});
            return;
        }
        results_.add(call->second.place, {.id = keeps_ids_ ? call->second.id : std::string(),
                                          .text = std::move(item.text)});
    }

    // Results that follow one another are one turn.
    void end_results()
    {
        if (results_.empty()) return;
        said_.turns.push_back({Speaker::user, engine::text_of_results(results_.take())});
    }

    const bool keeps_ids_;
    CallIds ids_;  // All calls so far have these ids.
    std::size_t places_ = ids_.size();
    RequestImages& images_;
    Conversation said_;
    std::vector<engine::ToolCall> calls_;
    ResultsInOrder results_;
    Faults faults_;
};

Error no_such_item(const InputItem& reference)
{
    Error error = not_found("The item " + reference.text);
    error.faults.push_back({"#/input", "not_found", "was not found"});
    return error;
}

std::size_t bytes_of(const ResponseItem& item)
{
    std::size_t bytes = item.arguments ? item.arguments->size() : 0;
    if (item.output) bytes += item.output->size();
    if (item.content)
        for (const ResponsePart& part : *item.content) {
            if (part.text) bytes += part.text->size();
            if (part.image_url) bytes += part.image_url->size();
        }
    return bytes;
}

// The items that an input refers to. Each of their messages is read once, and all of them together
// have a limit: a short input can name long messages, and each of them many times.
class References {
public:
    explicit References(const StoredItems& stored) : stored_(stored) {}

    // Fails with not_found, with validation_failed if there is too much, and as the store does.
    Task<Result<ResponseItem>> find(const InputItem& reference)
    {
        const auto items = co_await items_beside(reference);
        if (!items) co_return items.error();
        const auto item = std::ranges::find(**items, reference.text, &ResponseItem::id);
        if (item == (*items)->end()) co_return no_such_item(reference);
        given_ += bytes_of(*item);
        if (given_ > most_bytes) co_return too_much();
        co_return *item;
    }

private:
    using Items = std::vector<ResponseItem>;

    // All items of the message that the reference belongs to.
    Task<Result<const Items*>> items_beside(const InputItem& reference)
    {
        const std::string message = message_of_item(reference.text);
        if (const auto known = messages_.find(message); known != messages_.end())
            co_return &known->second;
        auto read = co_await stored_.of_message(message);
        if (!read && read.error().code == Errc::not_found) co_return no_such_item(reference);
        if (!read) co_return read.error();
        for (const ResponseItem& item : *read) kept_ += bytes_of(item);
        if (kept_ > most_bytes) co_return too_much();
        co_return &messages_.emplace(message, std::move(*read)).first->second;
    }

    static Error too_much()
    {
        return validation_failed(
            {{"#/input", "too_long", "must refer to at most 4 MiB of earlier messages"}});
    }

    // More than models can read.
    static constexpr std::size_t most_bytes = std::size_t{4} * 1024 * 1024;

    StoredItems stored_;
    std::map<std::string, Items> messages_;
    std::size_t kept_ = 0;   // Bytes of these messages,
    std::size_t given_ = 0;  // and of the items that were given.
};

}  // namespace

void append_paragraph(std::string& text, const std::string& more)
{
    if (!text.empty() && !more.empty()) text += "\n\n";
    text += more;
}

Task<Result<Conversation>> conversation_of(StoredItems stored, const engine::Models& models,
                                           ResponseInput input, engine::ToolUse use,
                                           const Previous& previous, RequestImages& images)
{
    const auto count = std::ranges::count(input.items, ItemKind::reference, &InputItem::kind);
    if (std::cmp_greater(count, max_stored_turns))
        co_return validation_failed(
            {{"#/input", "too_long", "must have at most 500 references to items"}});
    Writer writer(use, calls_of(previous, models), images);
    References references(stored);
    for (InputItem& item : input.items) {
        if (item.kind != ItemKind::reference) {
            writer.add(std::move(item));
            continue;
        }
        auto found = co_await references.find(item);
        if (!found) co_return found.error();
        writer.add(std::move(*found), item.place);
    }
    co_return writer.end();
}

}  // namespace parley::api
