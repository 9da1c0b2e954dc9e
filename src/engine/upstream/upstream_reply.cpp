#include "engine/upstream/upstream_reply.hpp"

#include "engine/answer_reader.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine::upstream {
namespace {

// An event holds a few tokens; an answer is at most as long as a model's context.
constexpr http::client::SseReader::Limits event_limits{.line = std::size_t{256} * 1024,
                                                       .event = std::size_t{256} * 1024};
constexpr std::size_t longest_answer = std::size_t{4} * 1024 * 1024;
constexpr std::size_t longest_refusal = std::size_t{16} * 1024;

std::int64_t estimate(const Prompt& prompt)
{
    std::int64_t tokens = 0;
    if (!prompt.instructions.empty()) tokens += tokens_of_turn(prompt.instructions);
    for (const Turn& turn : prompt.turns) tokens += tokens_of_turn(turn.text, turn.images.size());
    return tokens;
}

}  // namespace

UpstreamReply::UpstreamReply(Upstream& upstream, const Executor& loop, const Prompt& prompt)
    : figures_(upstream.figures),
      call_(upstream, loop, request_of(prompt), true),
      offers_tools_(prompt.sampling.tools != nullptr),
      has_stop_(!prompt.sampling.stop.empty()),
      text_(may_call(prompt.sampling.tools, ToolUse::passed_on)),
      input_tokens_(estimate(prompt)),
      max_output_(prompt.sampling.max_output_tokens),
      reader_(event_limits)
{
    if (prompt.sampling.format) compact_.emplace();
}

UpstreamReply::~UpstreamReply()
{
    if (opened_) figures_->add(finish(StopReason::end_turn).usage);
}

Task<Result<Output>> UpstreamReply::next()
{
    if (stopped_) co_return cancelled();
    if (error_) co_return *error_;
    if (!std::exchange(opened_, true)) {
        const auto opened = co_await open();
        if (stopped_) co_return cancelled();
        if (!opened) co_return opened.error();
    }
    Output output;
    while (output.deltas.empty() && !output.finish) {
        const auto bytes = co_await call_.next();
        if (stopped_) co_return cancelled();
        if (!bytes) co_return bytes.error();
        std::vector<http::client::SseEvent> events;
        const bool readable = reader_.feed(*bytes, events);
        read(events, output);
        if (ended_) {
            output.finish = finish(reason_.value_or(StopReason::end_turn));
            call_.release();
        } else if (!error_ && !readable) {
            fail("it sent an event without end");
        } else if (!error_ && bytes->empty()) {
            fail("its stream ended before [DONE]");
        }
        if (error_ && output.deltas.empty()) co_return *error_;
        if (error_) break;
    }
    co_return output;
}

void UpstreamReply::stop()
{
    stopped_ = true;
    call_.abort();
}

// If the server sent nothing, it is unknown whether it read the prompt.
std::optional<Usage> UpstreamReply::used() const
{
    if (!usage_ && bytes_ == 0) return {};
    return finish(StopReason::error).usage;
}

Task<Result<>> UpstreamReply::open()
{
    const auto opened = co_await call_.open();
    if (!opened) co_return opened.error();
    if (call_.status() == 200) co_return Result<>();
    co_return co_await refusal();
}

// The server refuses our request. The client can change only the length.
Task<Error> UpstreamReply::refusal()
{
    std::string body;
    while (body.size() < longest_refusal) {
        const auto bytes = co_await call_.next();
        if (!bytes) co_return bytes.error();
        if (bytes->empty()) break;
        body += *bytes;
    }
    if (is_about_length(body))
        co_return Error{Errc::message_too_long,
                        "The conversation is longer than the model's context."};
    const std::string said = call_.tells_our_key(body) ? "(our key)" : complaint_in(body);
    co_return call_.fail(
        {.error = {Errc::upstream_error, "The model's server refused the question."},
         .reason = "it answered " + std::to_string(call_.status()) + ": " + said});
}

void UpstreamReply::read(const std::vector<http::client::SseEvent>& events, Output& output)
{
    for (const http::client::SseEvent& event : events) {
        if (event.data == end_of_stream) {
            call_.begun();
            ended_ = true;
            if (reason_ != StopReason::max_tokens) add_call(text_.end(), output);
            return;
        }
        read(event.data, output);
        if (error_) return;
    }
}

void UpstreamReply::read(std::string_view data, Output& output)
{
    Chunk chunk = read_chunk(data);
    if (chunk.usage) usage_ = chunk.usage;
    if (chunk.reason) reason_ = chunk.reason;
    // A text that the request does not have is one of the model's own: the answer is complete.
    if (reason_ == StopReason::stop_sequence && !has_stop_) reason_ = StopReason::end_turn;
    if ((chunk.ends_with_calls || !chunk.calls.empty()) && !offers_tools_)
        return fail("it called a tool, but none was offered");
    add_text(chunk.text, output);
    for (const CallDelta& each : chunk.calls) {
        auto more = text_.call(each);
        if (!more) return fail("its tool calls cannot be read");
        add_call(std::move(*more), output);
    }
    if (bytes_ > longest_answer) return fail("its answer is longer than any model's context");
    if (chunk.fault)
        return fail(call_.tells_our_key(*chunk.fault) ? "its response contains our API key"
                                                      : *chunk.fault);
    call_.begun();
}

// White space that is left out was written, too: it counts.
void UpstreamReply::add_text(std::string_view text, Output& output)
{
    count(text);
    add(text_.text(compact_ ? compact_->add(text) : std::string(text)), output);
}

void UpstreamReply::add_call(std::string text, Output& output)
{
    count(text);
    add(std::move(text), output);
}

void UpstreamReply::count(std::string_view text)
{
    bytes_ += text.size();
    output_.add(text);
}

void UpstreamReply::add(std::string delta, Output& output) const
{
    if (delta.empty() || bytes_ > longest_answer) return;  // The caller fails if it is too long.
    output.deltas.push_back(std::move(delta));
}

void UpstreamReply::fail(const std::string& reason)
{
    error_ = call_.fail(unreadable_answer(reason));
}

Output UpstreamReply::cancelled() const { return {.finish = finish(StopReason::cancelled)}; }

Finish UpstreamReply::finish(StopReason reason) const
{
    std::int64_t output = output_.tokens();
    if (max_output_) output = std::min(output, *max_output_);
    const Usage estimated{.input_tokens = input_tokens_, .output_tokens = output};
    return {.reason = reason, .usage = usage_.value_or(estimated)};
}

}  // namespace parley::engine::upstream
