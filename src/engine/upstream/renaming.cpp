#include "engine/upstream/renaming.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"
#include "engine/object_walk.hpp"
#include "engine/upstream/chunk.hpp"
#include "engine/upstream/estimate.hpp"

#include <algorithm>

namespace parley::engine::upstream {
namespace {

// The bytes around the text in the choices of an event, such as
// [{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":null}].
constexpr std::int64_t around_a_delta = 72;

}  // namespace

Renaming::Renaming(std::string_view model, std::int64_t max_output) : max_output_(max_output)
{
    json::append_quoted(quoted_, model);
}

std::optional<std::string_view> Renaming::object(std::string_view text)
{
    changed_.clear();
    if (!append_object(text) || !utf8::valid(text)) return std::nullopt;
    return changed_;
}

std::string_view Renaming::events(std::string_view text)
{
    changed_.clear();
    changed_.reserve(text.size() + quoted_.size());
    while (!text.empty()) {
        const std::string_view line =
            text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
        const std::size_t brace = line.starts_with("data:") ? line.find('{') : line.npos;
        const std::size_t begin = std::min(brace, line.size());
        changed_ += line.substr(0, begin);
        if (begin < line.size()) append_object(line.substr(begin));
        text.remove_prefix(line.size());
    }
    return changed_;
}

bool Renaming::append_object(std::string_view text)
{
    const std::size_t begin = changed_.size();
    std::size_t copied = 0;
    const bool is_object = walk_object(text, [&](const Member& member) {
        if (member.is_named("usage")) {
            if (auto told = read_usage(member.value)) told_ = told;
        } else if (member.is_named("choices")) {
            estimate(member.value);
        } else if (member.is_named("model")) {
            const auto at = static_cast<std::size_t>(member.value.data() - text.data());
            changed_.append(text.substr(copied, at - copied)).append(quoted_);
            copied = at + member.value.size();
        }
    });
    if (!is_object) {  // Any other text stays unchanged.
        changed_.resize(begin);
        copied = 0;
    }
    changed_ += text.substr(copied);
    return is_object;
}

// Most servers send one event for each token.
void Renaming::estimate(std::string_view choices)
{
    if (!choices.starts_with('[') || choices.find('{') == choices.npos) return;
    const auto text = static_cast<std::int64_t>(choices.size()) - around_a_delta;
    estimated_ += std::max<std::int64_t>(1, text / TokenEstimate::longest_token);
}

std::optional<Usage> Renaming::usage() const
{
    if (told_ || estimated_ == 0) return told_;
    // Text in small pieces is estimated too high, and would count more than it has reserved.
    return Usage{.output_tokens = max_output_ > 0 ? std::min(estimated_, max_output_) : estimated_};
}

}  // namespace parley::engine::upstream
