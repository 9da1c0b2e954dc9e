#include "chat/turn_taker.hpp"

#include <utility>

namespace parley::chat {

TurnTaker::TurnTaker(RunContext& context, RunQueues& queues, bool is_scripted, Begin begin)
    : context_(context),
      queues_(queues),
      queue_(is_scripted ? queues.scripted() : queues.real()),
      is_scripted_(is_scripted),
      begin_(std::move(begin)),
      ticket_(is_scripted ? "turn of a scripted run" : "turn of a run")
{
}

void TurnTaker::hear_of_one()
{
    std::size_t none = 0;
    waiting_.compare_exchange_strong(none, 1);
}

bool TurnTaker::may_start()
{
    if (waiting_ == 0 || is_stopped_) return false;
    is_asked_again_ = true;
    return !is_taking_.exchange(true);
}

Task<> TurnTaker::take()
{
    struct Taking {
        std::atomic<bool>& flag;
        ~Taking() { flag = false; }
    };
    const Taking taking{is_taking_};
    co_await queues_.look_for_users();
    while (is_asked_again_.exchange(false))
        while (co_await take_one()) continue;
}

Task<bool> TurnTaker::get_place()
{
    if (is_stopped_) co_return false;
    if (queue_.readmit(RunQueue::ticket_holder, ticket_)) co_return true;
    if (is_stopped_) queue_.withdraw(ticket_);  // Otherwise stop() does.
    co_return co_await queue_.turn(ticket_);
}

Task<bool> TurnTaker::take_one()
{
    if (!co_await get_place()) co_return false;
    if (is_stopped_) {
        queue_.leave(ticket_);
        co_return false;
    }
    const std::int64_t me = context_.options.cluster->me();
    auto taken = co_await context_.store.runs().take_turn(
        {.replica = me,
         .is_scripted = is_scripted_,
         .clock = context_.options.clock,
         .places = static_cast<std::int64_t>(context_.options.max_of_all_servers),
         .keeps_one = queue_.is_shared(),
         .without = queue_.users_without_room()});
    if (!taken || !*taken) {
        queue_.leave(ticket_);
        co_return false;
    }
    store::RunWithMessages run = std::move(**taken);
    queue_.pass_on(ticket_, run.run.owner.user, run.run.id);
    begin_(std::move(run), me);
    co_return true;
}

void TurnTaker::stop()
{
    is_stopped_ = true;
    queue_.withdraw(ticket_);
}

}  // namespace parley::chat
