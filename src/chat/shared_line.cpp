// Runs of several servers: those that wait in the line that they share, and first events.
#include "chat/events.hpp"
#include "chat/runs.hpp"
#include "chat/views.hpp"

#include <array>

namespace parley::chat {
namespace {

// It is stored with the run: no server executes a run that waits, and one that begins at once needs
// no append to the journal.
RunEvent first_event(const store::RunWithMessages& begun, const RunErrors& errors)
{
    return created_event(1, view(begun, errors));
}

}  // namespace

std::optional<store::SharedLine> Runs::shared_line(const RunQueue& queue) const
{
    if (context_.options.cluster->is_alone()) return std::nullopt;
    return store::SharedLine{
        .places = static_cast<std::int64_t>(context_.options.max_of_all_servers),
        .max_waiting = static_cast<std::int64_t>(context_.options.max_queued),
        .keeps_one = queue.is_shared(),
        .without = queue.users_without_room(),
        .first_event = [&errors = context_.errors](const store::RunWithMessages& begun) {
            return *journal_record(first_event(begun, errors));
        }};
}

// The store has it, for the readers of all servers.
void Runs::take_first_event(ActiveRun& run, std::string record)
{
    context_.journal.begun(run.id());
    context_.counters.count_events(1);
    run.feed().push(std::array{event_of_record(1, std::move(record))});
}

// Its readers on this server follow it, whichever server takes it.
RunHandle Runs::wait_in_line(const ActiveRunRef& run, store::RunWithMessages whole)
{
    RunQueue& queue = run->queue();
    queue.leave(run->id());
    run->feed().push(std::array{first_event(whole, context_.errors)});
    run->set_whole(std::move(whole));
    followed_.adopt(run);
    registry_.remove(run);
    RunHandle handle(context_, run);
    if (run->stopped() == ActiveRun::Stop::cancelled) handle.cancel();  // Before it was followed.
    (&queue == &queues_.scripted() ? scripted_turns_ : real_turns_).hear_of_one();
    take_turns();
    return handle;
}

TurnTaker Runs::taker_of_line(bool is_scripted)
{
    return {context_, queues_, is_scripted,
            [this](store::RunWithMessages whole, std::int64_t replica) {
                const Executor& loop = next_loop();
                spawn_task(loop, take_over(std::move(whole), loop, replica, Arrival::turn));
            }};
}

void Runs::take_turns()
{
    if (closed_ || loops_.empty() || context_.options.cluster->is_alone()) return;
    for (TurnTaker* each : {&real_turns_, &scripted_turns_})
        if (each->may_start()) spawn_task(next_loop(), each->take());
}

}  // namespace parley::chat
