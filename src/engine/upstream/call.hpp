// One question to the servers of a model, up to the bytes of its answer: asks them in order, again
// where nothing can have been done, leaves those alone that are down, and keeps the deadlines.
//
// Threads: of the loop that it was made on. Whoever waits in it must have come back before it goes.
#pragma once

#include "engine/upstream/completion_request.hpp"
#include "engine/upstream/server.hpp"
#include "engine/upstream/verdict.hpp"
#include "http/client/clients.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace parley::engine::upstream {

class Call {
public:
    Call(Upstream& upstream, const Executor& loop, CompletionRequest question, bool streamed);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // Waits for an answer that can be read: 200, or 400, 413, 422. Fails as Engine::start does.
    Task<Result<>> open();
    int status() const { return stream_->head().status; }

    // The next bytes of the body, none at its end; valid until the next call.
    Task<Result<std::string_view>> next();

    // The model has begun to answer: from now on only silence is watched.
    void begun();

    // Whoever waits comes back soon, with an error.
    void abort();

    // The answer is complete although its end was not read: keeps the connection if that comes.
    void release();

    // Logs why an answer is useless, and gives what the client is told.
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
    Task<> wait(std::chrono::milliseconds time);
    http::client::ClientRequest request(const Server& server) const;
    void probe(const Server& server);
    Error all_left_alone() const;
    Error gave_up() const;
    void time_is_up();
    SteadyPoint now() const { return here_.loop.clock().steady(); }

    Upstream& upstream_;
    http::client::Clients::Here here_;
    CompletionRequest question_;
    const bool streamed_;
    Server* server_ = nullptr;  // That answers.
    std::unique_ptr<http::client::ClientStream> stream_;
    Timer pause_;
    bool aborted_ = false;
    bool timed_out_ = false;
    bool begun_ = false;
    Alarm alarm_{*this};
};

}  // namespace parley::engine::upstream
