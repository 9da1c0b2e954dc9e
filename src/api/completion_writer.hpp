// Writes an answer in OpenAI's shape: as one object, or as the chunks of a stream.
//
// Threads: belongs to the loop of its request.
#pragma once

#include "api/wire/completion.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "domain/chat.hpp"
#include "engine/answer_reader.hpp"
#include "http/exchange.hpp"

#include <optional>
#include <span>
#include <string>

namespace parley::api {

// chatcmpl-…
std::string new_completion_id(TimePoint now);

class CompletionWriter {
public:
    CompletionWriter(std::string id, TimePoint created, std::string model);

    const std::string& id() const { return chunk_.id; }

    // For stored completions: the ids by which they are found.
    void set_metadata(Metadata metadata) { metadata_ = std::move(metadata); }
    void include_usage() { includes_usage_ = true; }
    // The answer may contain calls of these tools; null: none.
    void expect_calls(engine::ToolsRef tools, engine::ToolUse use);

    std::string whole(std::string text, StopReason reason, const Usage& usage) const;

    // New text of the model; the first time with the role before it. Pieces that came together are
    // sent together. Null if there is nothing to send.
    http::Frame pieces(std::span<const std::string> deltas);
    // The end: the reason, the usage if it was requested, and [DONE].
    http::Frame end(StopReason reason, const Usage& usage);
    // A failure in the middle of the stream.
    static http::Frame failure(const Error& error);

private:
    void begin(std::string& out, bool with_text);
    void append(std::string& out, const std::vector<engine::AnswerPart>& parts);
    void append_text(std::string& out, const std::string& text);
    void append_call(std::string& out, const engine::AnswerPart& part);
    std::string call_id(const std::string& given, std::size_t index) const;

    CompletionChunk chunk_;
    std::optional<Metadata> metadata_;
    bool includes_usage_ = false;
    bool has_begun_ = false;
    engine::ToolsRef tools_;
    engine::ToolUse tool_use_ = engine::ToolUse::demanded;
    std::optional<engine::AnswerReader> reader_;
    std::size_t calls_ = 0;  // Sent so far.
};

}  // namespace parley::api
