// Passes a request for a chat completion or for embeddings on to an OpenAI-compatible server, and
// its response back, both unchanged: the upstream model may support features that Parley does not
// (tools, images, several choices).
//
// Threads: as of an engine. An answer belongs to the loop that asked.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::engine {

// A request to another server, and its response. Destroying it ends the request; it must not be
// destroyed during a call.
class RelayedAnswer {
public:
    virtual ~RelayedAnswer() = default;

    // Sends the request and waits for the first piece of the response. To be called once, first.
    // Fails as Engine::start does; retries only if there was no response and the request cannot
    // have had an effect.
    virtual Task<Result<>> open() = 0;

    // 200, or a status between 400 and 499 if the upstream refused the request itself; then the
    // body is its error. Everything else is an error of open().
    virtual int status() const = 0;

    // The next bytes of the body, or none when it has ended; valid until the next call. Of a stream
    // they are complete events, blank line included, and the last one is `data: [DONE]`; the first
    // is available at once, because open() waits for it. Fails with upstream_error,
    // upstream_timeout.
    virtual Task<Result<std::string_view>> next() = 0;

    // Whether a part of the response was received, even if it broke off then.
    virtual bool has_begun() const = 0;

    // The tokens of the answer: as the response has told them, or else an estimate.
    virtual std::optional<Usage> usage() const { return {}; }

    // A waiting open() or next() returns soon, with an error.
    virtual void stop() = 0;
};

inline constexpr std::string_view completions_path = "/chat/completions";
inline constexpr std::string_view embeddings_path = "/embeddings";

struct RelayedRequest {
    // A JSON object. Its "model" is replaced by the upstream's name; members that are only for this
    // server are removed.
    std::string body;
    bool streamed = false;
    std::string model;                   // The client's name of the model, used in the response.
    std::string trace = {};              // A valid `traceparent` to send along; empty: none.
    std::string path{completions_path};  // Below the base URL of the upstream.
    std::size_t max_answer = std::size_t{8} * 1024 * 1024;  // Bytes, if it is not streamed.
};

class Relay {
public:
    virtual ~Relay() = default;

    // To be opened on this loop, which is the caller's.
    virtual std::unique_ptr<RelayedAnswer> prepare(const Executor& loop,
                                                   RelayedRequest request) = 0;
};

}  // namespace parley::engine
