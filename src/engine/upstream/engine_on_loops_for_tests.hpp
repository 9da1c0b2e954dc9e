// Lets tests with their own context use an engine that lives on event loops: each reply is written
// on one of the loops, and heard in the test's context.
#pragma once

#include "engine/engine.hpp"
#include "http/loop.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parley::engine::upstream {

template <class T>
Task<T> on_loop(Executor loop, Task<T> task)
{
    co_return co_await boost::asio::co_spawn(loop, std::move(task), awaiting);
}

class ReplyOnLoop final : public Reply {
public:
    ReplyOnLoop(Executor loop, std::unique_ptr<Reply> reply)
        : loop_(std::move(loop)), reply_(std::move(reply))
    {
    }
    ReplyOnLoop(const ReplyOnLoop&) = delete;
    ReplyOnLoop& operator=(const ReplyOnLoop&) = delete;
    ~ReplyOnLoop() override  // NOLINT(bugprone-exception-escape): out of memory.
    {
        boost::asio::post(loop_, [reply = std::move(reply_)] {});
    }

    Task<Result<Output>> next() override { return on_loop(loop_, reply_->next()); }
    void stop() override
    {
        boost::asio::post(loop_, [reply = reply_] { reply->stop(); });
    }
    // The loop does not use it between two calls of next().
    std::optional<Usage> used() const override { return reply_->used(); }

private:
    Executor loop_;
    std::shared_ptr<Reply> reply_;
};

class EngineOnLoops final : public Engine {
public:
    EngineOnLoops(http::Loops& loops, std::unique_ptr<Engine> engine)
        : loops_(loops), engine_(std::move(engine))
    {
    }

    std::int64_t context() const override { return engine_->context(); }
    std::int64_t longest_token() const override { return engine_->longest_token(); }
    bool can_continue() const override { return engine_->can_continue(); }
    Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> turns) override
    {
        return engine_->count(std::move(turns));
    }
    Task<Result<std::unique_ptr<Reply>>> start(Prompt prompt, std::string so_far) override
    {
        const Executor loop = loops_[next_++ % loops_.size()].executor();
        auto reply = co_await on_loop(loop, engine_->start(std::move(prompt), std::move(so_far)));
        if (!reply) co_return reply.error();
        std::unique_ptr<Reply> here = std::make_unique<ReplyOnLoop>(loop, std::move(*reply));
        co_return here;
    }
    Relay* relay() override { return engine_->relay(); }

private:
    http::Loops& loops_;
    std::unique_ptr<Engine> engine_;
    std::atomic<std::size_t> next_{0};
};

}  // namespace parley::engine::upstream
