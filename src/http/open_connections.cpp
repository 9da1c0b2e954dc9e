#include "http/open_connections.hpp"

namespace parley::http {

void OpenConnections::became_idle(OpenConnection& connection, SteadyPoint now)
{
    connection.among_idle_.unlink();
    connection.idle_since_ = now;
    idle_.push_back(connection);
    publish();
}

void OpenConnections::became_busy(OpenConnection& connection)
{
    connection.among_idle_.unlink();
    publish();
}

bool OpenConnections::close_longest_idle()
{
    if (idle_.empty()) return false;
    OpenConnection& longest = idle_.front();
    became_busy(longest);  // No other caller may choose it.
    longest.close_if_idle();
    return true;
}

void OpenConnections::for_each(void (OpenConnection::*action)())
{
    for (OpenConnection& connection : open_) (connection.*action)();
}

void OpenConnections::publish()
{
    const SteadyPoint since = idle_.empty() ? SteadyPoint::max() : idle_.front().idle_since_;
    longest_idle_.store(since.time_since_epoch().count(), std::memory_order_relaxed);
}

}  // namespace parley::http
