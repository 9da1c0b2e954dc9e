// Writes an answer in OpenAI's shape: as one object, or as the chunks of a stream.
//
// Threads: belongs to the loop of its request.
#pragma once

#include "api/wire/completion.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "domain/chat.hpp"
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

    // For what was stored: how to find it.
    void set_metadata(Metadata metadata) { metadata_ = std::move(metadata); }
    void include_usage() { includes_usage_ = true; }

    std::string whole(std::string text, StopReason reason, const Usage& usage) const;

    // What the model has added; the first time with the role before it. Several pieces that came
    // together leave together. Null where there is nothing to send.
    http::Frame pieces(std::span<const std::string> deltas);
    // The end: why, what it cost where that was asked for, and [DONE].
    http::Frame end(StopReason reason, const Usage& usage);
    // What failed in the middle.
    static http::Frame failure(const Error& error);

private:
    void begin(std::string& out);

    CompletionChunk chunk_;
    std::optional<Metadata> metadata_;
    bool includes_usage_ = false;
    bool has_begun_ = false;
};

}  // namespace parley::api
