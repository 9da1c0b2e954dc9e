#include "engine/upstream/messages.hpp"

#include "engine/answer_reader.hpp"
#include "engine/question_turn.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace parley::engine::upstream {
namespace {

using boost::json::object;
using boost::json::value;

object plain_message(std::string_view role, std::string_view text)
{
    return {{"role", role}, {"content", text}};
}

object text_part(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

// The text and the images of a question, in their order.
boost::json::array parts_of(const Turn& turn)
{
    boost::json::array parts;
    const std::string_view text = turn.text;
    std::size_t said = 0;
    for (const TurnImage& image : turn.images) {
        if (image.at > said) parts.push_back(text_part(text.substr(said, image.at - said)));
        said = image.at;
        parts.push_back({{"type", "image_url"}, {"image_url", {{"url", *image.url}}}});
    }
    if (said < text.size()) parts.push_back(text_part(text.substr(said)));
    return parts;
}

object message_of(const Turn& question)
{
    if (question.images.empty()) return plain_message("user", question.text);
    return {{"role", "user"}, {"content", parts_of(question)}};
}

// Calls with the results of all of them.
struct AnsweredCalls {
    ReadAnswer answer;
    ReadTurn next;
};

// Gives each call and its result the same id; false if they do not belong together.
bool match(AnsweredCalls& pair, std::size_t& unnamed)
{
    auto& calls = pair.answer.calls;
    auto& results = pair.next.results;
    if (calls.empty() || calls.size() != results.size()) return false;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].id.empty()) calls[i].id = "call_" + std::to_string(++unnamed);
        if (results[i].id.empty()) results[i].id = calls[i].id;
    }
    return std::ranges::all_of(calls, [&](const ToolCall& call) {
        return std::ranges::count(results, call.id, &ToolResult::id) == 1;
    });
}

class Messages {
public:
    explicit Messages(const Prompt& prompt) : turns_(prompt.turns)
    {
        if (!prompt.instructions.empty())
            list_.push_back(plain_message("system", prompt.instructions));
    }

    boost::json::array write()
    {
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            const Turn& turn = turns_[i];
            if (auto pair = answered_calls(i)) {
                add(std::move(*pair));
                ++i;  // The turn with the results.
            } else if (turn.speaker == Speaker::assistant) {
                list_.push_back(plain_message("assistant", unescaped(turn.text)));
            } else {
                Turn question = turn;
                unescape_question(question);
                list_.push_back(message_of(question));
            }
        }
        return std::move(list_);
    }

private:
    std::optional<AnsweredCalls> answered_calls(std::size_t i)
    {
        if (i + 1 >= turns_.size() || turns_[i].speaker != Speaker::assistant ||
            turns_[i + 1].speaker != Speaker::user || !has_call(turns_[i].text))
            return {};
        static const auto any = std::make_shared<const Tools>();
        AnsweredCalls pair{.answer = read_answer(turns_[i].text, any, ToolUse::passed_on),
                           .next = read_turn(turns_[i + 1])};
        if (!match(pair, unnamed_)) return {};
        return pair;
    }

    void add(AnsweredCalls pair)
    {
        boost::json::array calls;
        for (const ToolCall& call : pair.answer.calls)
            calls.push_back(
                {{"id", call.id},
                 {"type", "function"},
                 {"function",
                  {{"name", call.name}, {"arguments", given_arguments(call.arguments)}}}});
        object answer{
            {"role", "assistant"}, {"content", nullptr}, {"tool_calls", std::move(calls)}};
        if (!pair.answer.text.empty()) answer["content"] = pair.answer.text;
        list_.push_back(std::move(answer));
        for (const ToolResult& result : pair.next.results)
            list_.push_back(
                {{"role", "tool"}, {"tool_call_id", result.id}, {"content", result.text}});
        const Turn& question = pair.next.question;
        if (!question.text.empty() || !question.images.empty())
            list_.push_back(message_of(question));
    }

    const std::vector<Turn>& turns_;
    boost::json::array list_;
    std::size_t unnamed_ = 0;
};

}  // namespace

boost::json::array messages_of(const Prompt& prompt) { return Messages(prompt).write(); }

}  // namespace parley::engine::upstream
