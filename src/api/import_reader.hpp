// The thread that reads conversations of imports, images and keys of large requests: 16 MiB would
// hold up an event loop.
#pragma once

#include "base/task.hpp"
#include "http/message.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace parley::api {

struct ImportReader {
    boost::asio::thread_pool thread{1};

    // Does work that takes as long as the body of this request is large.
    template <class Work>
    Task<std::invoke_result_t<Work>> read(const http::RequestHead& head, Work work)
    {
        constexpr std::uint64_t small = std::uint64_t{64} * 1024;
        if (head.content_length.value_or(std::numeric_limits<std::uint64_t>::max()) <= small)
            co_return work();
        co_return co_await offload(thread, std::move(work));
    }
};

}  // namespace parley::api
