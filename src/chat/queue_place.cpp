#include "chat/queue_place.hpp"

#include <algorithm>

namespace parley::chat {

namespace {

// An answer that has not ended by then was cut off by a crash.
std::chrono::seconds time_of_reservation(const RunOptions& options)
{
    return std::max<std::chrono::seconds>(std::chrono::hours(1), 2 * options.timeout);
}

}  // namespace

Task<Result<std::unique_ptr<QueuePlace>>> QueuePlace::take(Runs& runs, Owner owner,
                                                           std::string model, std::string id,
                                                           std::optional<std::int64_t> reserved)
{
    if (runs.is_closed()) co_return Error{Errc::shutting_down, "The server is shutting down."};
    co_await runs.queues().look_for_users();
    auto place = take(runs.queues().of(owner, model), owner.user, id);
    if (!place) co_return place.error();
    QueuePlace& taken = **place;
    taken.account_.emplace(Account{runs, owner, std::move(model)});
    if (reserved) {
        const TimePoint now = runs.options().clock->now();
        const auto done = co_await runs.usage_log().reserve(
            {.id = std::move(id),
             .owner = std::move(owner),
             .tokens = *reserved,
             .now = now,
             .expires_at = now + time_of_reservation(runs.options())});
        if (!done) co_return done.error();
        taken.has_reserved_ = true;
    }
    co_return place;
}

Result<std::unique_ptr<QueuePlace>> QueuePlace::take(RunQueue& queue, const std::string& user,
                                                     std::string id)
{
    const auto may_begin = queue.enter(user, id);
    if (!may_begin) return may_begin.error();
    return std::unique_ptr<QueuePlace>(new QueuePlace(queue, std::move(id), *may_begin));
}

// NOLINTNEXTLINE(bugprone-exception-escape): out of memory.
QueuePlace::~QueuePlace()
{
    queue_.leave(id_);
    if (account_ && had_its_turn_)
        account_->runs.usage().count(account_->owner, account_->model,
                                     account_->runs.options().clock->now(), tokens_);
    if (has_reserved_) account_->runs.usage().settle(id_);
}

// The queue answers through the event loop, after all work that waits there.
Task<bool> QueuePlace::turn()
{
    had_its_turn_ = was_free_ || co_await queue_.turn(id_);
    co_return had_its_turn_;
}

}  // namespace parley::chat
