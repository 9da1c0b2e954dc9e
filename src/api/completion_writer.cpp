#include "api/completion_writer.hpp"

#include "api/openai_error.hpp"
#include "base/id.hpp"
#include "fields/write.hpp"

#include <memory>
#include <utility>

namespace parley::api {
namespace {

CompletionUsage told(const Usage& usage)
{
    return {.prompt_tokens = usage.input_tokens,
            .completion_tokens = usage.output_tokens,
            .total_tokens = usage.input_tokens + usage.output_tokens,
            .prompt_tokens_details = {.cached_tokens = usage.cached_input_tokens}};
}

FinishReason told(StopReason reason)
{
    return reason == StopReason::max_tokens ? FinishReason::length : FinishReason::stop;
}

template <class T>
void append_event(std::string& out, const T& data)
{
    out += "data: ";
    fields::append(out, data);
    out += "\n\n";
}

http::Frame frame_of(std::string text)
{
    return std::make_shared<const std::string>(std::move(text));
}

}  // namespace

std::string new_completion_id(TimePoint now)
{
    constexpr std::string_view prefix = "chatcmpl";
    std::string id = new_id(prefix, now);
    id[prefix.size()] = '-';
    return id;
}

CompletionWriter::CompletionWriter(std::string id, TimePoint created, std::string model)
{
    using std::chrono::seconds;
    chunk_.id = std::move(id);
    chunk_.created = std::chrono::duration_cast<seconds>(created.time_since_epoch()).count();
    chunk_.model = std::move(model);
    chunk_.choices.emplace_back();
}

std::string CompletionWriter::whole(std::string text, StopReason reason, const Usage& usage) const
{
    Completion completion{.id = chunk_.id,
                          .created = chunk_.created,
                          .model = chunk_.model,
                          .usage = told(usage),
                          .metadata = metadata_};
    CompletionChoice& choice = completion.choices.emplace_back();
    choice.message.content = std::move(text);
    choice.finish_reason = told(reason);
    return fields::write(completion);
}

http::Frame CompletionWriter::pieces(std::span<const std::string> deltas)
{
    std::string out;
    if (!deltas.empty()) begin(out);
    for (const std::string& delta : deltas) {
        chunk_.choices.front().delta.content = delta;
        append_event(out, chunk_);
    }
    return out.empty() ? nullptr : frame_of(std::move(out));
}

http::Frame CompletionWriter::end(StopReason reason, const Usage& usage)
{
    std::string out;
    begin(out);
    ChunkChoice& choice = chunk_.choices.front();
    choice.delta.content.reset();
    choice.finish_reason = told(reason);
    append_event(out, chunk_);
    if (includes_usage_) {
        chunk_.choices.clear();
        chunk_.usage = told(usage);
        append_event(out, chunk_);
    }
    out += "data: [DONE]\n\n";
    return frame_of(std::move(out));
}

http::Frame CompletionWriter::failure(const Error& error)
{
    std::string out;
    append_event(out, openai_error(error));
    return frame_of(std::move(out));
}

// The first chunk, with the role; sent once.
void CompletionWriter::begin(std::string& out)
{
    if (std::exchange(has_begun_, true)) return;
    if (includes_usage_) chunk_.usage = nullptr;
    ChunkDelta& delta = chunk_.choices.front().delta;
    delta.role = "assistant";
    delta.content = "";
    chunk_.metadata = std::exchange(metadata_, std::nullopt);
    append_event(out, chunk_);
    chunk_.metadata.reset();
    delta.role.reset();
}

}  // namespace parley::api
