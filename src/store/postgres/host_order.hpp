// In which order the hosts of a URL are tried.
//
// libpq tries the next host if one refuses the connection. A host that accepts it and does not
// answer, or ends it, like a primary that was stopped or a proxy, would keep all others from being
// tried. So each attempt after a failed one begins with the next host.
//
// Threads: may be called by any.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace parley::store::postgres {

class HostOrder {
public:
    // Lists as libpq takes them. Those that the URL does not have are empty.
    struct Attempt {
        std::size_t first = 0;
        std::string host;
        std::string hostaddr;
        std::string port;
    };

    Attempt next_attempt(const std::string& url) const;
    void failed(const Attempt& attempt);

private:
    std::atomic<std::size_t> first_ = 0;
};

}  // namespace parley::store::postgres
