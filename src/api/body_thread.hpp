// The thread that parses large bodies: half a million members would hold up an event loop for a
// tenth of a second.
//
// Threads: from any event loop; the work runs on this thread, one body at a time, in order.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace parley::api {

class BodyThread {
public:
    // Up to this size, a body is parsed at once: it takes 2 ms at most.
    static constexpr std::size_t small_bytes = std::size_t{64} * 1024;

    BodyThread() = default;
    BodyThread(const BodyThread&) = delete;
    BodyThread& operator=(const BodyThread&) = delete;
    ~BodyThread() { pool_.join(); }  // All work is done: tasks wait for it.

    // As json::parse does. `text` must live until then.
    Task<Result<boost::json::value>> parse(const std::string& text);

private:
    friend class BodyThreadTest;

    boost::asio::thread_pool pool_{1};
};

}  // namespace parley::api
