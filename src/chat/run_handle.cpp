#include "chat/run_handle.hpp"

#include "base/log.hpp"
#include "base/timer.hpp"
#include "chat/views.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include <utility>

namespace parley::chat {

RunHandle::RunHandle(RunContext& context, ActiveRunRef active)
    : context_(&context), run_(std::move(active))
{
}

RunHandle::RunHandle(RunContext& context, EndedRun::Whole ended)
    : context_(&context), run_(std::move(ended))
{
}

const std::string& RunHandle::id() const
{
    if (const auto* active = active_run()) return (*active)->id();
    return std::get<Ended>(run_)->run.id;
}

std::shared_ptr<const store::RunWithMessages> RunHandle::whole() const
{
    if (const auto* active = active_run()) return (*active)->whole();
    return std::get<Ended>(run_);
}

api::RunView RunHandle::view() const
{
    const auto* active = active_run();
    const auto now = whole();
    api::RunView shown = chat::view(*now, context_->errors);
    if (!active || has_ended(now->run.status)) return shown;
    ActiveRun& run = **active;
    if (now->run.status == RunStatus::queued && !run.is_followed())
        if (const auto position = run.queue().position(run.id()))
            shown.queue_position = static_cast<std::int64_t>(*position);
    auto moment = run.feed().moment();
    if (!moment.text.empty()) shown.message = unfinished_answer(*now, std::move(moment.text));
    return shown;
}

bool RunHandle::ends_with(std::int64_t number) const
{
    const auto* ended = std::get_if<Ended>(&run_);
    return ended && number > 0 && number == (*ended)->run.last_number;
}

EventReader RunHandle::read(std::int64_t after, TakeMemory take) const&
{
    const EventReader::Sources sources{context_->store, context_->journal, context_->ended_runs};
    if (const auto* active = active_run()) return {sources, *active, after, std::move(take)};
    const Ended& ended = std::get<Ended>(run_);
    const bool are_kept = context_->retention.keeps_events_of(ended->run);
    return {sources, ended, after, are_kept, std::move(take)};
}

EventReader RunHandle::read(std::int64_t after, TakeMemory take) &&
{
    const RunHandle given_up = std::move(*this);
    return given_up.read(after, std::move(take));
}

RunHandle::Waiter RunHandle::waiter() const
{
    const auto* active = active_run();
    return active ? (*active)->feed().follow() : nullptr;
}

void RunHandle::give_up(const Waiter& waiter) const
{
    if (const auto* active = active_run()) (*active)->feed().give_up(waiter);
}

Task<Result<bool>> RunHandle::wait_for_end(std::chrono::milliseconds patience, Waiter waiter) const
{
    const auto* active = active_run();
    if (!active) co_return true;
    const ActiveRunRef run = *active;
    Timer timer(co_await boost::asio::this_coro::executor);
    timer.expires_after(patience);
    timer.async_wait([run, waiter](boost::system::error_code cancelled) {
        if (!cancelled) run->feed().give_up(waiter);
    });
    auto ended = co_await run->feed().wait_for_end(waiter);
    timer.cancel();
    co_return ended;
}

Task<> RunHandle::look_again() const
{
    const auto* active = active_run();
    if (!active || !(*active)->is_followed()) co_return;
    const ActiveRunRef run = *active;
    auto stored = co_await context_->store.runs().find_run(run->owner(), run->id());
    if (stored && !has_ended(stored->run.status)) run->renew_whole(std::move(*stored));
}

Task<Result<>> RunHandle::ask_to_cancel() const
{
    const auto* active = active_run();
    if (!active) co_return Result<>();
    const ActiveRunRef run = *active;
    if (run->is_followed()) co_return co_await context_->store.runs().ask_to_cancel(run->id());
    run->cancel();
    co_return Result<>();
}

void RunHandle::cancel() const
{
    const auto* active = active_run();
    if (!active) return;
    if (!(*active)->is_followed()) return (*active)->cancel();
    boost::asio::co_spawn(
        (*active)->loop(), context_->store.runs().ask_to_cancel((*active)->id()),
        [run = *active](const std::exception_ptr& failure, const Result<>& asked) {
            if (failure || !asked)
                log::warn("cannot ask another server to cancel a run",
                          log::kv("run_id", run->id()));
        });
}

}  // namespace parley::chat
