#include "engine/upstream/completion_request.hpp"

#include "base/json.hpp"
#include "engine/object_walk.hpp"
#include "engine/upstream/messages.hpp"
#include "engine/upstream/response_format.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace parley::engine::upstream {
namespace {

Error not_an_object() { return {Errc::invalid_json, "The body is not one JSON object."}; }

// "store" and "metadata" are for this server. A limit of -1 means none; other servers refuse it.
bool stays_here(const Member& member)
{
    if (member.is_named("store") || member.is_named("metadata")) return true;
    const bool is_none = member.value == "-1" || member.value == "null";
    return is_none && (member.is_named("max_tokens") || member.is_named("max_completion_tokens"));
}

// A whole number, or 0.
std::int64_t count_in(std::string_view value)
{
    static constexpr std::int64_t most = 1'000'000'000;
    std::int64_t count = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), count);
    const bool is_number = read.ec == std::errc() && read.ptr == value.data() + value.size();
    return is_number ? std::clamp<std::int64_t>(count, 0, most) : 0;
}

// How many tokens a body allows, as it is read member by member. A budget reserves as many.
class OutputLimit {
public:
    void note(const Member& member)
    {
        if (is_maximum(member)) {
            const std::int64_t most = count_in(member.value);
            if (most == 0 && member.value != "null") is_limited_ = false;
            each_ = std::max(each_, most);
        } else if (member.is_named("n")) {
            choices_ = std::clamp<std::int64_t>(count_in(member.value), 1, 1'000'000);
        }
    }
    std::int64_t choices() const { return choices_; }
    std::int64_t tokens() const { return is_limited_ ? each_ * choices_ : 0; }

private:
    // llama.cpp's server takes n_predict before the others.
    static bool is_maximum(const Member& member)
    {
        return member.is_named("max_tokens") || member.is_named("max_completion_tokens") ||
               member.is_named("n_predict");
    }

    std::int64_t each_ = 0;
    std::int64_t choices_ = 1;
    bool is_limited_ = true;  // The server may take the one of several that is no limit.
};

}  // namespace

std::string CompletionRequest::to(std::string_view model) const
{
    std::string text;
    text.reserve(before.size() + model.size() + after.size() + 2);
    text += before;
    json::append_quoted(text, model);
    text += after;
    return text;
}

CompletionRequest request_of(const Prompt& prompt)
{
    boost::json::object body{{"messages", messages_of(prompt)},
                             {"stream", true},
                             {"stream_options", {{"include_usage", true}}}};
    const Sampling& sampling = prompt.sampling;
    if (sampling.max_output_tokens) body["max_tokens"] = *sampling.max_output_tokens;
    if (sampling.temperature) body["temperature"] = *sampling.temperature;
    if (sampling.top_p) body["top_p"] = *sampling.top_p;
    if (sampling.presence_penalty) body["presence_penalty"] = *sampling.presence_penalty;
    if (sampling.frequency_penalty) body["frequency_penalty"] = *sampling.frequency_penalty;
    if (sampling.seed) body["seed"] = *sampling.seed;
    if (!sampling.logit_bias.empty()) {
        auto& bias = body["logit_bias"].emplace_object();
        for (const auto& [token, value] : sampling.logit_bias) bias[std::to_string(token)] = value;
    }
    // Not part of OpenAI's API, but of most self-hosted servers; sent only if the client set it.
    if (sampling.top_k) body["top_k"] = *sampling.top_k;
    if (sampling.min_p) body["min_p"] = *sampling.min_p;
    if (sampling.repeat_penalty) body["repeat_penalty"] = *sampling.repeat_penalty;
    if (sampling.format) body["response_format"] = response_format(*sampling.format);
    if (!sampling.stop.empty())
        body["stop"] = boost::json::array(sampling.stop.begin(), sampling.stop.end());
    std::string members = boost::json::serialize(body);
    members.front() = ',';  // It follows the model. It may be large, so it is not copied.
    if (sampling.tools)     // As they were given.
        members.insert(0, "," + sampling.tools->given.substr(1, sampling.tools->given.size() - 2));
    return {.before = R"({"model":)", .after = std::move(members), .trace = prompt.trace};
}

Result<CompletionRequest> request_of(std::string_view body)
{
    int models = 0;
    OutputLimit limit;
    std::string others;
    others.reserve(body.size() + 1);
    const bool is_object = walk_object(body, [&](const Member& member) {
        limit.note(member);
        if (member.is_named("model")) {
            ++models;
        } else if (!stays_here(member)) {
            others += ',';
            others.append(member.key).append(":").append(member.value);
        }
    });
    if (!is_object || models > 1) return not_an_object();
    others += '}';
    return CompletionRequest{.before = R"({"model":)",
                             .after = std::move(others),
                             .choices = limit.choices(),
                             .max_output = limit.tokens()};
}

}  // namespace parley::engine::upstream
