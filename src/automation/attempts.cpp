// How the runner starts rows of the ledger.
#include "automation/runner.hpp"
#include "base/log.hpp"
#include "engine/tool_text.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace parley::automation {
namespace {

// Longer than any run may take.
constexpr std::chrono::hours no_hurry{24};
constexpr std::chrono::seconds time_between_tries{1};
// Rows are started one after the other, so that questions of people are stored in between; for a
// start that takes longer than this, the next one does not wait.
constexpr std::chrono::milliseconds time_for_a_start{5};
// Models need far longer for an answer. But quick answers of thousands of rows that are due at the
// same time would take the processor and the disk from the questions of people.
constexpr std::chrono::milliseconds time_between_starts{2};
constexpr std::size_t starts_of_a_look = 16;     // Due times wait until these are begun.
constexpr std::size_t most_last_turns = 10'000;  // Owners that are remembered.
// Limits are read with the rows: a raised one counts so soon.
constexpr std::chrono::seconds time_for_raised_limit{1};

// Whether another try may do better, though nothing about the row changes.
bool may_pass(const Error& error)
{
    switch (error.code) {
        case Errc::conflict:
        case Errc::session_busy:
        case Errc::overloaded:
        case Errc::storage_unavailable:
        case Errc::shutting_down:
        case Errc::model_unavailable:
            return true;
        default:
            return false;
    }
}

StartLimit::Payer payer_of(const store::AutomationRun& row)
{
    return {.owner = row.owner,
            .limit = row.user_limit,
            .token = row.token,
            .token_limit = row.token_limit};
}

}  // namespace

// Test mode has places of its own, so that it takes none from real models.
std::size_t Runner::places_left(bool test) const
{
    const auto taken = std::ranges::count_if(
        active_, [test](const auto& each) { return each.second.test == test; });
    const std::size_t places =
        options_.max_concurrent > 0
            ? options_.max_concurrent
            : std::max<std::size_t>(1, services_.runs.options().max_concurrent / 2);
    return places - std::min(places, static_cast<std::size_t>(taken));
}

// The next place goes to the owner who has the fewest; of several, to the one whose last turn was
// longest ago.
std::vector<store::AutomationRun> Runner::in_turns(std::vector<store::AutomationRun> rows)
{
    std::map<Owner, std::size_t> places;
    for (const auto& [id, owner] : active_) ++places[owner];
    std::multimap<std::pair<std::size_t, std::uint64_t>, store::AutomationRun> turns;
    for (store::AutomationRun& row : rows) {
        if (active_.contains(row.id) || is_held(row.owner)) continue;
        const std::size_t turn = places[row.owner]++;
        const auto last = last_turns_.find(row.owner);
        turns.emplace(std::pair(turn, last == last_turns_.end() ? 0 : last->second),
                      std::move(row));
    }
    std::vector<store::AutomationRun> ordered;
    for (auto& [turn, row] : turns) ordered.push_back(std::move(row));
    return ordered;
}

void Runner::note_turn(const Owner& owner)
{
    if (last_turns_.size() >= most_last_turns) last_turns_.clear();
    last_turns_[owner] = ++turns_;
}

Task<Result<>> Runner::start_rows()
{
    const TimePoint now = services_.clock.now();
    const std::size_t most = std::max(places_left(false), places_left(true));
    if (most > 0) {
        // Rows that are being started are among them.
        auto held = limit_.held();
        if (held.wait) look_for_limit(now, *held.wait);
        auto rows = co_await services_.store.ledger().startable(now, most + active_.size(),
                                                                std::move(held.tokens));
        if (!rows) co_return rows.error();
        has_more_ = false;
        std::size_t begun = 0;
        for (store::AutomationRun& row : in_turns(std::move(*rows))) {
            if (stopped_ || services_.runs.is_closed() || begun == starts_of_a_look) break;
            if (places_left(row.owner.test) == 0 || is_held(row.owner) || !may_start(row, now))
                continue;
            has_more_ = true;
            active_.emplace(row.id, row.owner);
            note_turn(row.owner);
            const SteadyPoint start = limit_.count(payer_of(row));
            spawn(attempt(std::move(row), start));
            ++begun;
            const SteadyPoint next_start = services_.clock.steady() + time_between_starts;
            co_await sleep(time_for_a_start);  // Until it is stored, which wakes this.
            while (!stopped_ && services_.clock.steady() < next_start)
                co_await sleep(next_start - services_.clock.steady());
        }
    }
    const auto next = co_await services_.store.ledger().next_start(now);
    if (!next) co_return next.error();
    if (*next) look_at(**next);
    co_return Result<>();
}

// Trouble with storage does not end a run.
Task<> Runner::until_ended(const chat::RunHandle& run)
{
    Timer timer(co_await boost::asio::this_coro::executor);
    while (!co_await run.wait_for_end(no_hurry)) {
        timer.expires_after(time_between_tries);
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
}

bool Runner::may_start(const store::AutomationRun& row, TimePoint now)
{
    const StartLimit::Payer payer = payer_of(row);
    const auto wait = limit_.wait(payer);
    if (wait.count() == 0) return true;
    // Behind rows of a token that must wait there may be others of its user.
    const bool only_token = row.token && limit_.admits({.owner = row.owner, .limit = payer.limit});
    if (only_token)
        look_at(now);
    else
        look_for_limit(now, wait);
    return false;
}

void Runner::look_for_limit(TimePoint now, std::chrono::nanoseconds wait)
{
    const auto until = std::min<std::chrono::nanoseconds>(wait, time_for_raised_limit);
    look_at(now + std::chrono::ceil<TimePoint::duration>(until));
}

std::shared_ptr<void> Runner::hold(const Owner& owner)
{
    {
        const MutexLock lock(mutex_);
        held_.insert(owner);
    }
    return {nullptr, [self = shared_from_this(), owner](void*) {
                const MutexLock lock(self->mutex_);
                self->held_.erase(self->held_.find(owner));
            }};
}

bool Runner::is_held(const Owner& owner)
{
    const MutexLock lock(mutex_);
    return held_.contains(owner);
}

Task<> Runner::attempt(store::AutomationRun row, SteadyPoint start)
{
    const ActiveRow active(*this, row.id);
    const auto asked = co_await ask(row, start);
    if (!asked) limit_.give_back(payer_of(row), start);
    if (!asked && asked.error().code == Errc::rate_limited) {  // Other servers start runs, too.
        const auto wait = asked.error().retry_after.value_or(time_between_tries);
        limit_.hold(payer_of(row), wait);
        look_for_limit(services_.clock.now(), wait);
        co_return;
    }
    if (!asked && may_pass(asked.error())) {
        look_at(services_.clock.now() + time_between_tries);
        co_return;
    }
    if (!asked) co_await end_refused(row, asked.error());
    wake();  // The next row of the automation may begin.
}

Task<Result<>> Runner::ask(const store::AutomationRun& row, SteadyPoint start)
{
    const auto definition = Definition::read_unscheduled(row.definition);
    if (!definition) co_return definition.error();
    std::optional<std::string> session;
    if (definition->continues_session()) {
        const auto automation =
            co_await services_.store.automations().find(row.owner, row.automation);
        if (!automation) co_return automation.error();
        session = automation->session;
    }
    auto accepted =
        co_await services_.questions.ask(row.owner, question_of(*definition, row, session));
    if (!accepted) co_return accepted.error();
    limit_.note_begun(payer_of(row), start);
    if (has_more_) wake();  // It is no longer among the rows that may begin.
    co_await remove_surplus(*definition, row);
    co_await until_ended(accepted->run);
    co_return Result<>();
}

chat::Question Runner::question_of(const Definition& definition, const store::AutomationRun& row,
                                   std::optional<std::string> session) const
{
    const api::AutomationDefinition& fields = definition.fields();
    chat::Question question{
        .model = fields.model,
        .instructions = fields.instructions,
        .sampling = {.max_output_tokens = fields.max_output_tokens,
                     .temperature = fields.temperature,
                     .top_p = fields.top_p,
                     .stop = fields.stop ? fields.stop->texts : std::vector<std::string>()},
        .metadata = fields.metadata,
        .attempt = store::AttemptClaim{.row = row.id,
                                       .clock = &services_.clock,
                                       .reserved_tokens = fields.max_output_tokens.value_or(0),
                                       .session_goes_on = definition.continues_session(),
                                       .depth = row.depth,
                                       .most_starts = row.user_limit ? std::int64_t{*row.user_limit}
                                                                     : options_.starts_per_minute},
        .automation = row.automation,
        .title = fields.name,
        .timeout = std::chrono::seconds(fields.timeout_s.value_or(usual_timeout_s))};
    if (fields.seed) question.sampling.seed = static_cast<std::uint32_t>(*fields.seed);
    if (fields.response_format) question.sampling.format = fields.response_format->format;
    if (row.question) {
        question.parent = row.question;  // It is answered again.
    } else {
        question.parts = {engine::escaped_question(definition.filled(row).message)};
        question.session = std::move(session);
    }
    return question;
}

Task<> Runner::end_refused(const store::AutomationRun& row, const Error& error)
{
    store::Ledger::Refusal refusal{.row = row.id, .now = services_.clock.now()};
    if (error.code == Errc::quota_reached || error.code == Errc::budget_used_up)
        refusal.skip = SkipReason::budget;
    else
        refusal.error = services_.errors.stored(error);
    const auto refused = co_await services_.store.ledger().refuse(std::move(refusal));
    if (!refused)
        log::warn("cannot end a run of an automation", log::kv("automation_run_id", row.id),
                  log::kv("reason", refused.error().message));
}

Task<> Runner::remove_surplus(const Definition& definition, const store::AutomationRun& row)
{
    const auto keep = definition.sessions_to_keep();
    if (!keep) co_return;
    const auto surplus = co_await services_.store.ledger().surplus_sessions(row.automation, *keep);
    if (!surplus) co_return;
    const Cause cause{.automation = row.automation, .automation_run = row.id, .depth = row.depth};
    // One that was changed meanwhile, by a question or to be kept, stays.
    for (const store::SeenSession& seen : *surplus)
        static_cast<void>(
            co_await services_.sessions.remove(row.owner, seen.id, seen.revision, cause));
}

}  // namespace parley::automation
