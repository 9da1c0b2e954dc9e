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

FinishReason told(StopReason reason, bool has_calls)
{
    if (reason == StopReason::max_tokens) return FinishReason::length;
    return has_calls ? FinishReason::tool_calls : FinishReason::stop;
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

void CompletionWriter::expect_calls(engine::ToolsRef tools, engine::ToolUse use)
{
    tools_ = std::move(tools);
    tool_use_ = use;
    if (tools_) reader_.emplace(tools_, tool_use_);
}

std::string CompletionWriter::whole(std::string text, StopReason reason, const Usage& usage) const
{
    Completion completion{.id = chunk_.id,
                          .created = chunk_.created,
                          .model = chunk_.model,
                          .usage = told(usage),
                          .metadata = metadata_};
    CompletionChoice& choice = completion.choices.emplace_back();
    auto [said, calls] = tools_ ? engine::read_answer(text, tools_, tool_use_)
                                : engine::ReadAnswer{.text = std::move(text)};
    if (!said.empty() || calls.empty()) choice.message.content = std::move(said);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i == 0) choice.message.tool_calls.emplace();
        choice.message.tool_calls->push_back(
            {.id = call_id(calls[i].id, i),
             .function = {.name = std::move(calls[i].name),
                          .arguments = std::move(calls[i].arguments)}});
    }
    choice.finish_reason = told(reason, !calls.empty());
    return fields::write(completion);
}

http::Frame CompletionWriter::pieces(std::span<const std::string> deltas)
{
    std::string out;
    for (const std::string& delta : deltas) {
        if (reader_)
            append(out, reader_->add(delta));
        else
            append_text(out, delta);
    }
    return out.empty() ? nullptr : frame_of(std::move(out));
}

void CompletionWriter::append(std::string& out, const std::vector<engine::AnswerPart>& parts)
{
    for (const engine::AnswerPart& part : parts) {
        if (part.kind == engine::AnswerPart::Kind::text)
            append_text(out, part.text);
        else
            append_call(out, part);
    }
}

void CompletionWriter::append_text(std::string& out, const std::string& text)
{
    begin(out, true);
    ChunkDelta& delta = chunk_.choices.front().delta;
    delta.content = text;
    append_event(out, chunk_);
    delta.content = {};
}

void CompletionWriter::append_call(std::string& out, const engine::AnswerPart& part)
{
    begin(out, false);
    ToolCallDelta call;
    if (part.kind == engine::AnswerPart::Kind::call) {
        call.id = call_id(part.id, calls_++);
        call.type = "function";
        call.function.name = part.name;
    }
    call.index = static_cast<std::int64_t>(calls_) - 1;
    call.function.arguments = part.text;
    ChunkDelta& delta = chunk_.choices.front().delta;
    delta.tool_calls.emplace().push_back(std::move(call));
    append_event(out, chunk_);
    delta.tool_calls.reset();
}

// The same for each reader of the same answer.
std::string CompletionWriter::call_id(const std::string& given, std::size_t index) const
{
    if (!given.empty()) return given;
    return "call_" + chunk_.id.substr(chunk_.id.find('-') + 1) + std::to_string(index);
}

http::Frame CompletionWriter::end(StopReason reason, const Usage& usage)
{
    std::string out;
    if (reader_) append(out, reader_->end());
    begin(out, true);
    ChunkChoice& choice = chunk_.choices.front();
    choice.finish_reason = told(reason, calls_ > 0);
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

// The first chunk, with the role; sent once. Its content is null if a call follows.
void CompletionWriter::begin(std::string& out, bool with_text)
{
    if (std::exchange(has_begun_, true)) return;
    if (includes_usage_) chunk_.usage = nullptr;
    ChunkDelta& delta = chunk_.choices.front().delta;
    delta.role = "assistant";
    delta.content = nullptr;
    if (with_text) delta.content = "";
    chunk_.metadata = std::exchange(metadata_, std::nullopt);
    append_event(out, chunk_);
    chunk_.metadata.reset();
    delta.role.reset();
    delta.content = {};
}

}  // namespace parley::api
