// The thread that reads conversations of imports and images of requests: 16 MiB would hold up an
// event loop.
#pragma once

#include <boost/asio/thread_pool.hpp>

namespace parley::api {

struct ImportReader {
    boost::asio::thread_pool thread{1};
};

}  // namespace parley::api
