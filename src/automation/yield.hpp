// For computations that would keep an event loop busy for long.
#pragma once

#include "base/task.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::automation {

// Lets other tasks of the loop run.
inline Task<> yield()
{
    co_await boost::asio::post(co_await boost::asio::this_coro::executor, awaiting);
}

}  // namespace parley::automation
