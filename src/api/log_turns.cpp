#include "api/log_turns.hpp"

#include "base/clock.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::api {

Task<LogTurns::Turn> LogTurns::take(Owner owner)
{
    const Executor loop = co_await boost::asio::this_coro::executor;
    std::shared_ptr<Waiting> waiting;
    {
        const MutexLock lock(mutex_);
        const auto [line, is_free] = lines_.try_emplace(owner);
        if (!is_free) {
            waiting = std::make_shared<Waiting>(loop);
            line->second.push_back(waiting);
        }
    }
    if (!waiting) co_return Turn(*this, std::move(owner));
    waiting->timer.expires_at(SteadyPoint::max());
    while (!waiting->is_called) {
        boost::system::error_code ignored;
        co_await waiting->timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
    co_return Turn(*this, std::move(owner));
}

void LogTurns::pass_on(const Owner& owner)
{
    std::shared_ptr<Waiting> next;
    {
        const MutexLock lock(mutex_);
        const auto line = lines_.find(owner);
        if (line->second.empty()) {
            lines_.erase(line);
            return;
        }
        next = std::move(line->second.front());
        line->second.pop_front();
    }
    boost::asio::post(next->loop, [next] {
        next->is_called = true;
        next->timer.cancel();
    });
}

}  // namespace parley::api
