// Hands a request for a chat completion on to another server that speaks OpenAI's interface, and
// its answer back, both as they are: what Parley itself cannot do (tools, images, several choices),
// the model behind it may.
//
// Threads: as of an engine. An answer belongs to the loop that asked.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace parley::engine {

// A request that goes to another server, and its answer. Destroying it ends the request; whoever
// waits in it must have come back before.
class RelayedAnswer {
public:
    virtual ~RelayedAnswer() = default;

    // Asks, and comes back with the first piece of the answer. To be called once, before all else.
    // Fails as Engine::start does; tries again only where nothing has been answered and nothing can
    // have been done.
    virtual Task<Result<>> open() = 0;

    // 200, or a status between 400 and 499 by which the other side finds fault with the request
    // itself; then the body is what it says about that. All else is an error of open().
    virtual int status() const = 0;

    // The next bytes of the body, or none when it has ended; valid until the next call. Of a stream
    // they are whole events, blank line included, and the last one is `data: [DONE]`; the first is
    // there at once, since open() waits for it. Fails with upstream_error, upstream_timeout.
    virtual Task<Result<std::string_view>> next() = 0;

    // Whether something of an answer has come, even if it broke off then.
    virtual bool has_begun() const = 0;

    // Whoever waits in open() or next() comes back soon, with an error.
    virtual void stop() = 0;
};

struct RelayedRequest {
    // A JSON object. Its "model" is replaced by the name on the other side; members that mean
    // something to this server alone are taken out.
    std::string body;
    bool streamed = false;
    std::string model;       // The name that the client asked for; the answer carries it.
    std::string trace = {};  // A valid `traceparent` to send along; empty: none.
};

class Relay {
public:
    virtual ~Relay() = default;

    // To be opened on this loop, which is the caller's.
    virtual std::unique_ptr<RelayedAnswer> prepare(const Executor& loop,
                                                   RelayedRequest request) = 0;
};

}  // namespace parley::engine
