#include "app/event_sweep.hpp"

#include "base/log.hpp"

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <thread>

namespace parley::app {

EventSweep::~EventSweep()
{
    is_ending_ = true;
    while (is_running_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void EventSweep::begin(const Executor& loop)
{
    if (is_running_.exchange(true)) return;
    boost::asio::co_spawn(loop, sweep(), [this](const std::exception_ptr& failure) {
        if (failure) log::error("removing old events failed with an exception");
        is_running_ = false;
    });
}

Task<> EventSweep::sweep()
{
    constexpr std::size_t at_once = 1000;
    constexpr int most_rounds = 20;
    for (int round = 0; time_.may_sweep() && !is_ending_ && round < most_rounds; ++round) {
        const auto removed = co_await store_.events().sweep(time_.now() - keep_, at_once);
        if (!removed)
            log::debug("cannot remove old events", log::kv("reason", removed.error().message));
        if (!removed || *removed < at_once) co_return;
    }
}

}  // namespace parley::app
