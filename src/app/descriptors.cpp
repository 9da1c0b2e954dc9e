#include "app/descriptors.hpp"

#include <algorithm>
#include <sys/resource.h>

namespace parley::app {

std::size_t raise_descriptor_limit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

std::size_t connections_within(std::size_t descriptor_limit, std::size_t wanted)
{
    // Listeners, loops, store, log, and the connections that are being told that there are too
    // many.
    constexpr std::size_t kept_for_others = 128;
    const std::size_t half = descriptor_limit / 2;
    const std::size_t room =
        descriptor_limit > 2 * kept_for_others ? descriptor_limit - kept_for_others : half;
    return std::max<std::size_t>(1, std::min(room, wanted));
}

}  // namespace parley::app
