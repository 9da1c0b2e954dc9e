#include "http/client/pool.hpp"

#include <algorithm>
#include <utility>

namespace parley::http::client {

std::unique_ptr<ClientConnection> ClientPool::take(std::string_view origin)
{
    for (std::size_t i = idle_.size(); i-- > 0;) {
        if (idle_[i].origin != origin) continue;
        auto connection = std::move(idle_[i].connection);
        idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
        if (connection->quiet()) return connection;
    }
    return nullptr;
}

void ClientPool::give(std::string origin, std::unique_ptr<ClientConnection> connection)
{
    if (limits_.per_origin == 0 || limits_.total == 0) return;
    const auto same = [&](const Idle& idle) { return idle.origin == origin; };
    if (static_cast<std::size_t>(std::count_if(idle_.begin(), idle_.end(), same)) >=
        limits_.per_origin)
        idle_.erase(std::find_if(idle_.begin(), idle_.end(), same));
    else if (idle_.size() >= limits_.total)
        idle_.erase(idle_.begin());
    idle_.push_back({std::move(origin), std::move(connection), loop_.clock().steady()});
    if (!sweep_.armed()) sweep_.arm(loop_.wheel(), limits_.wait);
}

void ClientPool::drop_old()
{
    const SteadyPoint now = loop_.clock().steady();
    const auto young = std::find_if(idle_.begin(), idle_.end(), [&](const Idle& idle) {
        return now - idle.since < limits_.wait;
    });
    idle_.erase(idle_.begin(), young);
    if (idle_.empty()) return;
    const auto left = idle_.front().since + limits_.wait - now;
    sweep_.arm(loop_.wheel(), std::chrono::ceil<std::chrono::milliseconds>(left));
}

}  // namespace parley::http::client
