#include "chat/unstored.hpp"

#include "chat/history.hpp"
#include "engine/checked_start.hpp"

#include <boost/asio/this_coro.hpp>

#include <utility>

namespace parley::chat {
namespace {

Error too_late()
{
    return {Errc::upstream_timeout, "The answer took longer than this server allows."};
}

}  // namespace

Task<Result<UnstoredAnswerRef>> UnstoredAnswer::begin(Runs& runs, engine::Engine& engine,
                                                      std::string model, Owner owner,
                                                      std::string id, engine::Prompt prompt,
                                                      bool has_budget)
{
    if (runs.is_closed()) co_return Error{Errc::shutting_down, "The server is shutting down."};
    prompt.owner = engine::owner_key(owner);
    if (auto fits = co_await check_length(engine, prompt); !fits) co_return fits.error();
    std::optional<std::int64_t> reserved;
    if (has_budget) reserved = prompt.sampling.max_output_tokens.value_or(0);
    auto place = co_await QueuePlace::take(runs, owner, std::move(model), std::move(id), reserved);
    if (!place) co_return place.error();
    co_return std::make_shared<UnstoredAnswer>(Private(), runs, engine, std::move(*place),
                                               std::move(owner), std::move(prompt),
                                               co_await boost::asio::this_coro::executor);
}

UnstoredAnswer::UnstoredAnswer(Private /*key*/, Runs& runs, engine::Engine& engine,
                               std::unique_ptr<QueuePlace> place, Owner owner,
                               engine::Prompt prompt, const Executor& loop)
    : runs_(runs),
      engine_(engine),
      place_(std::move(place)),
      asker_(std::move(owner)),
      prompt_(std::move(prompt)),
      images_(runs.context().store, runs.context().image_memory),
      deadline_(loop)
{
}

UnstoredAnswer::~UnstoredAnswer()
{
    if (place_ && reply_)
        if (const auto used = reply_->used()) place_->used(*used);
    reply_.reset();
    place_.reset();
    runs_.counters().count_end(status_);
}

void UnstoredAnswer::leave_queue()
{
    if (!place_) return;
    if (reply_)
        if (const auto used = reply_->used()) place_->used(*used);
    place_.reset();
}

Task<Result<engine::Output>> UnstoredAnswer::next()
{
    if (!reply_) {
        auto started = co_await start();
        if (!started) co_return started.error();
        if (!reply_) co_return cancelled();
    }
    auto output = co_await reply_->next();
    images_.release();
    if (output && output->finish && place_) {
        place_->used(output->finish->usage);
        place_.reset();
    }
    if (is_late_) {
        status_ = RunStatus::failed;
        co_return too_late();
    }
    if (is_stopped_) co_return cancelled();
    if (!output) {
        status_ = RunStatus::failed;
        co_return output.error();
    }
    if (!output->deltas.empty()) has_begun_ = true;
    if (output->finish) status_ = RunStatus::completed;
    co_return std::move(*output);
}

// Leaves no reply if it was stopped meanwhile.
Task<Result<>> UnstoredAnswer::start()
{
    if (!co_await place_->turn() || is_stopped_) co_return Result<>();
    watch_the_clock();
    const auto loaded =
        co_await images_.load(asker_, prompt_.turns, [this] { return is_stopped_ || is_late_; });
    if (is_stopped_) co_return Result<>();
    if (!loaded || is_late_) {
        status_ = RunStatus::failed;
        co_return loaded ? too_late() : loaded.error();
    }
    auto reply = co_await engine::checked_start(engine_, std::move(prompt_), {});
    if (!reply) {
        if (is_stopped_) co_return Result<>();
        status_ = RunStatus::failed;
        co_return reply.error();
    }
    reply_ = std::move(*reply);
    if (is_stopped_ || is_late_) reply_->stop();
    co_return Result<>();
}

void UnstoredAnswer::stop()
{
    is_stopped_ = true;
    if (place_) place_->withdraw();
    if (reply_) reply_->stop();
}

void UnstoredAnswer::watch_the_clock()
{
    deadline_.expires_after(runs_.options().timeout);
    deadline_.async_wait([weak = weak_from_this()](boost::system::error_code cancelled) {
        const auto self = weak.lock();
        if (cancelled || !self) return;
        self->is_late_ = true;
        self->has_begun_ = true;
        if (!self->reply_) return;
        self->reply_->stop();
        self->leave_queue();
    });
}

engine::Output UnstoredAnswer::cancelled() const
{
    return {.deltas = {}, .finish = engine::Finish{.reason = StopReason::cancelled}};
}

}  // namespace parley::chat
