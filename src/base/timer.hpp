// A timer of an event loop: concrete in its executor, so that no call is erased.
#pragma once

#include "base/task.hpp"

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>

namespace parley {

using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

}  // namespace parley
