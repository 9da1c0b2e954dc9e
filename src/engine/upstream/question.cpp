#include "engine/upstream/question.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"
#include "engine/upstream/object_walk.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <utility>

namespace parley::engine {
namespace {

Error not_an_object() { return {Errc::invalid_json, "The body is not one JSON object."}; }

std::string_view name_of(Speaker speaker)
{
    return speaker == Speaker::user ? "user" : "assistant";
}

boost::json::object message(std::string_view role, std::string_view text)
{
    return {{"role", role}, {"content", text}};
}

}  // namespace

std::string Question::to(std::string_view model) const
{
    std::string text;
    text.reserve(before.size() + model.size() + after.size() + 2);
    text += before;
    json::append_quoted(text, model);
    text += after;
    return text;
}

Question question_of(const Prompt& prompt)
{
    boost::json::array messages;
    messages.reserve(prompt.turns.size() + 1);
    if (!prompt.instructions.empty()) messages.push_back(message("system", prompt.instructions));
    for (const Turn& turn : prompt.turns)
        messages.push_back(message(name_of(turn.speaker), turn.text));
    boost::json::object body{{"messages", std::move(messages)},
                             {"stream", true},
                             {"stream_options", {{"include_usage", true}}}};
    const Sampling& sampling = prompt.sampling;
    if (sampling.max_output_tokens) body["max_tokens"] = *sampling.max_output_tokens;
    if (sampling.temperature) body["temperature"] = *sampling.temperature;
    if (sampling.top_p) body["top_p"] = *sampling.top_p;
    if (sampling.seed) body["seed"] = *sampling.seed;
    if (!sampling.stop.empty())
        body["stop"] = boost::json::array(sampling.stop.begin(), sampling.stop.end());
    return {.before = R"({"model":)", .after = "," + boost::json::serialize(body).substr(1)};
}

Result<Question> question_of(std::string body)
{
    std::optional<Member> model;
    bool twice = false;
    const bool is_object = walk_object(body, [&](const Member& member) {
        if (!member.is_named("model")) return;
        twice = twice || model;
        model = member;
    });
    if (!is_object || twice) return not_an_object();
    if (!model) {
        const std::size_t brace = body.find('{');
        const bool empty = body.find_first_not_of(" \t\r\n", brace + 1) == body.rfind('}');
        return Question{.before = R"({"model":)",
                        .after = (empty ? "" : ",") + body.substr(brace + 1)};
    }
    const auto begin = static_cast<std::size_t>(model->value.data() - body.data());
    std::string after = body.substr(begin + model->value.size());
    body.resize(begin);
    return Question{.before = std::move(body), .after = std::move(after)};
}

bool is_shaped_as_object(std::string_view text)
{
    return walk_object(text, [](const Member&) {}) && utf8::valid(text);
}

}  // namespace parley::engine
