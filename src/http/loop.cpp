#include "http/loop.hpp"

#include "base/log.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <array>
#include <pthread.h>

namespace parley::http {

Loop::Loop(const Clock& clock) : clock_(clock), wheel_(clock) {}

const std::string& Loop::date_line()
{
    const std::time_t second = std::chrono::system_clock::to_time_t(clock_.now());
    if (second != date_second_) {
        std::tm parts{};
        gmtime_r(&second, &parts);
        std::array<char, 64> text{};
        // The C locale is never changed in this process, so day and month names are English.
        const std::size_t size =
            std::strftime(text.data(), text.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
        date_line_.assign(text.data(), size);
        date_second_ = second;
    }
    return date_line_;
}

// Turns the wheel. The ticks also measure delays of the loop.
Task<> Loop::keep_time(std::function<void(std::chrono::nanoseconds)> observe_lag)
{
    Timer timer(executor());
    while (true) {
        const auto due = std::chrono::steady_clock::now() + TimingWheel::tick;
        timer.expires_at(due);
        boost::system::error_code error;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, error));
        if (error) co_return;
        const std::chrono::nanoseconds lag = std::chrono::steady_clock::now() - due;
        lag_ns_.store(lag.count(), std::memory_order_relaxed);
        if (observe_lag) observe_lag(lag);
        wheel_.advance();
    }
}

Loops::Loops(std::size_t count, const Clock& clock, LagObserver observe_lag,
             const char* thread_name)
{
    if (count == 0) count = std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t index = 0; index < count; ++index) {
        Loop& loop = *loops_.emplace_back(std::make_unique<Loop>(clock));
        std::function<void(std::chrono::nanoseconds)> observe;
        if (observe_lag)
            observe = [observe_lag, index](std::chrono::nanoseconds lag) {
                observe_lag(index, lag);
            };
        boost::asio::co_spawn(loop.context_, loop.keep_time(std::move(observe)),
                              boost::asio::detached);
    }
    for (auto& loop : loops_) {
        threads_.emplace_back([&context = loop->context_] {
            // A handler that throws has a bug; the loop and its other connections continue.
            while (true) {
                try {
                    context.run();
                    return;
                } catch (const std::exception& failure) {
                    log::error("event loop caught an exception", log::kv("reason", failure.what()));
                }
            }
        });
        ::pthread_setname_np(threads_.back().native_handle(), thread_name);
    }
}

Loops::~Loops() { stop(); }

void Loops::stop()
{
    for (auto& loop : loops_) loop->context_.stop();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

std::size_t Loops::index_with_fewest_connections() const
{
    const auto fewest =
        std::min_element(loops_.begin(), loops_.end(), [](const auto& a, const auto& b) {
            return a->connections.load(std::memory_order_relaxed) <
                   b->connections.load(std::memory_order_relaxed);
        });
    return static_cast<std::size_t>(fewest - loops_.begin());
}

}  // namespace parley::http
