// One request to the servers of a model: tries them in order, retries if the request cannot have
// had an effect, skips servers with an open breaker, and keeps the deadlines.
//
// Threads: the loop that it was created on. It must not be destroyed during a call.
#pragma once

#include "engine/upstream/completion_request.hpp"
#include "engine/upstream/server.hpp"
#include "engine/upstream/verdict.hpp"
#include "http/client/clients.hpp"
#include "tracing/tracing.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

namespace parley::engine::upstream {

class Call {
public:
    Call(Upstream& upstream, const Executor& loop, CompletionRequest question, bool streamed);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call();

    // Waits for a usable response: 200, or 400, 413, 422. Fails as Engine::start does.
    Task<Result<>> open();
    int status() const { return stream_->head().status; }

    // The next bytes of the body, none at its end; valid until the next call.
    Task<Result<std::string_view>> next();

    // How long a server has had the request, if its answer has not begun. After open() or next().
    std::optional<std::chrono::nanoseconds> waited() const;

    // The model has begun to answer: from now on only the timeout between bytes applies.
    void begun();

    // A waiting call returns soon, with an error.
    void abort();

    // The answer is complete although the end of the response was not read: keeps the connection
    // for reuse if the end follows.
    void release();

    // Logs why a response cannot be used, and returns the error for the client.
    Error fail(const Failure& failure);
    // Whether the text holds the key that was sent.
    bool tells_our_key(std::string_view text) const;

private:
    class Alarm final : public http::Deadline {
    public:
        explicit Alarm(Call& call) : call_(call) {}

    private:
        void expired() override { call_.time_is_up(); }
        Call& call_;
    };
    class Waking final : public http::Deadline {
    public:
        explicit Waking(Timer& timer) : timer_(timer) {}

    private:
        void expired() override { timer_.cancel(); }
        Timer& timer_;
    };

    Task<std::optional<Failure>> ask(Server& server);
    bool may_be_at_work(const http::client::ClientError& error) const;
    Task<> wait(std::chrono::milliseconds time);
    http::client::ClientRequest request(const Server& server) const;
    void probe(const Server& server);
    Error all_paused() const;
    Error gave_up() const;
    void time_is_up();
    SteadyPoint now() const { return here_.loop.clock().steady(); }

    Upstream& upstream_;
    http::client::Clients::Here here_;
    CompletionRequest question_;
    const bool streamed_;
    Server* server_ = nullptr;  // The one in use.
    std::unique_ptr<http::client::ClientStream> stream_;
    std::optional<Timer> pause_;  // Created by the first wait for another try.
    bool aborted_ = false;
    bool timed_out_ = false;
    bool begun_ = false;
    std::optional<SteadyPoint> asked_at_;
    tracing::OpenSpan span_;  // Until the answer has been read.
    Alarm alarm_{*this};
};

}  // namespace parley::engine::upstream
