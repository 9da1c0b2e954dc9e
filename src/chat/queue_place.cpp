#include "chat/queue_place.hpp"

namespace parley::chat {

Task<Result<std::unique_ptr<QueuePlace>>> QueuePlace::take(Runs& runs, Owner owner,
                                                           std::string model, std::string id)
{
    if (runs.is_closed()) co_return Error{Errc::shutting_down, "The server is shutting down."};
    co_await runs.queues().look_for_users();
    co_return take(runs.queues().of(owner, model), owner.user, std::move(id));
}

Result<std::unique_ptr<QueuePlace>> QueuePlace::take(RunQueue& queue, const std::string& user,
                                                     std::string id)
{
    if (auto entered = queue.enter(user, id); !entered) return entered.error();
    return std::unique_ptr<QueuePlace>(new QueuePlace(queue, std::move(id)));
}

}  // namespace parley::chat
