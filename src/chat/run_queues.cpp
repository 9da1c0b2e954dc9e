#include "chat/run_queues.hpp"

#include "engine/models.hpp"

namespace parley::chat {

RunQueue& RunQueues::of(const Owner& owner, std::string_view model)
{
    return owner.test || model == engine::scripted_name ? scripted_ : real_;
}

// Only a server with one user repeats this query, and it has little other load.
Task<bool> RunQueues::look_for_users()
{
    if (real_.is_shared()) co_return true;
    const auto users = co_await store_.accounts().list_users({}, 2);
    if (!users || users->items.size() < 2) co_return false;
    scripted_.share();
    real_.share();
    co_return true;
}

}  // namespace parley::chat
