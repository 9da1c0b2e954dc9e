#include "base/log.hpp"
#include "journal/postgres/statements.hpp"
#include "journal/postgres/writer.hpp"
#include "store/postgres/failure.hpp"

#include <fmt/format.h>

namespace parley::journal::postgres {
namespace {

using std::chrono::milliseconds;
using store::postgres::Failure;
using store::postgres::ResultPtr;
using store::postgres::to_network_order;

constexpr milliseconds patience_to_store{5000};
// A statement that was given up ends a moment later in PostgreSQL, too. Nothing here waits for a
// standby: commits are not synced.
constexpr milliseconds time_of_a_statement{6000};
constexpr milliseconds between_tries{100};

Error lost() { return {Errc::lost_ownership, "Another server has taken over this run."}; }

// A failure that needs no new connection: nothing was stored.
template <class Work>
Result<> or_error(const Work& work)
{
    try {
        return work();
    } catch (const Failure& failure) {
        return store::postgres::to_error(failure);
    }
}

// The parameters of events: one element for each.
struct Events {
    std::vector<std::string_view> runs;
    std::vector<std::int64_t> numbers;
    std::vector<std::string_view> frames;

    void add(const RunEvents& events)
    {
        std::int64_t number = events.first;
        for (const Frame& frame : events.frames) {
            runs.push_back(events.run);
            numbers.push_back(number++);
            frames.push_back(*frame);
        }
    }
};

}  // namespace

template <class Work>
bool Writer::insist(const Work& work)
{
    for (;;) {
        try {
            give_up_at_ = Steady::now() + patience_to_store;
            connect();
            work();
            return true;
        } catch (const Failure& failure) {
            if (!failure.is_lost() && !failure.is_conflict()) throw;
            if (failure.is_lost()) link_.reset();
        }
        if (is_over()) return false;
        std::this_thread::sleep_for(between_tries);
    }
}

// A connection on which not all could be sent again is no connection yet.
void Writer::connect()
{
    if (!link_) {
        ++connection_;
        link_ = std::make_unique<store::postgres::PreparedLink>(
            options_.database, [this] { return is_over() || Steady::now() > give_up_at_; });
        try {
            link_->link().execute("SET synchronous_commit = off");
            limit_statements(time_of_a_statement);
            send_again();
        } catch (const Failure&) {
            link_.reset();
            throw;
        }
    }
    link_->link().follow_name();
}

void Writer::limit_statements(milliseconds most)
{
    link_->link().execute("SET statement_timeout = " + std::to_string(most.count()));
}

// Those that are still there are not added twice.
void Writer::send_again()
{
    const std::int64_t me = options_.me();
    Events events;
    const auto recent = recent_.of(me);
    for (const RunEvents& each : recent) events.add(each);
    if (events.numbers.empty()) return;
    link_->run(append_statement, {to_network_order(me), store::postgres::array_of(events.runs),
                                  store::postgres::array_of(events.numbers),
                                  store::postgres::array_of(events.frames)});
    recent_.stored_again(Steady::now());
}

// A model may write nothing for long: its last events must not wait for the next one.
void Writer::look_for_crash()
{
    try {
        if (insist([&] { link_->link().execute("SELECT 1"); })) recent_.answered(Steady::now());
    } catch (const Failure& failure) {
        log::warn("cannot ask whether the database has all events",
                  log::kv("reason", failure.what()));
    }
}

void Writer::run_batch(Batch batch)
{
    const auto begun = Steady::now();
    Batch checked;
    for (Append& append : batch) {
        if (auto fits = or_error([&] { return check(append); }); !fits)
            std::move(append.answer)(std::move(fits));
        else
            checked.push_back(std::move(append));
    }
    if (checked.empty()) return;
    std::vector<Result<>> outcomes(checked.size(), or_error([&] { return store(checked); }));
    // Only some were added: each is asked for.
    if (!outcomes.front() && outcomes.front().error().code == Errc::conflict)
        for (std::size_t i = 0; i < checked.size(); ++i)
            outcomes[i] = or_error([&] { return outcome_of(checked[i]); });
    bool succeeded = true;
    for (std::size_t i = 0; i < checked.size(); ++i) {
        succeeded = succeeded && outcomes[i];
        if (outcomes[i])
            recent_.add(checked[i], Steady::now());
        else
            known_.erase(checked[i].run);
    }
    runs_ = known_.size();
    count(checked, Steady::now() - begun, succeeded);
    for (std::size_t i = 0; i < checked.size(); ++i)
        std::move(checked[i].answer)(std::move(outcomes[i]));
}

void Writer::note_begun(const std::vector<std::string>& runs)
{
    for (const std::string& run : runs) known_[run] = {.last = 1, .connection = next_connection()};
}

// A run begins with 1. Of a run that another process has begun the numbers are in the table.
Result<> Writer::check(const Append& append)
{
    auto known = known_.find(append.run);
    if (known == known_.end() && append.first == 1)
        known =
            known_.try_emplace(append.run, Known{.last = 0, .connection = next_connection()}).first;
    if (known == known_.end() || known->second.last + 1 != append.first) {
        const auto last = stored_last(append.run);
        if (!last) return journal_is_closed();
        if (append.first != *last + 1) {
            known_.erase(append.run);
            return Error{Errc::internal, "An event of this run cannot be journalled.",
                         fmt::format("event number {} instead of {}", append.first, *last + 1)};
        }
        known = known_.insert_or_assign(append.run, Known()).first;
    }
    known->second.last = append.first + static_cast<std::uint32_t>(append.frames.size()) - 1;
    return {};
}

// Nothing if the end came first.
std::optional<std::uint32_t> Writer::stored_last(const std::string& run)
{
    std::optional<std::uint32_t> last;
    insist([&] {
        const ResultPtr found = link_->run(state_statement, {run});
        last = static_cast<std::uint32_t>(number_at(found, 0, 1));
    });
    return last;
}

// Fails with `conflict` if not all events were added.
Result<> Writer::store(const Batch& batch)
{
    Events events;
    for (const Append& append : batch) events.add(append);
    const std::string me = to_network_order(batch.front().me);
    const std::string runs = store::postgres::array_of(events.runs);
    const std::string numbers = store::postgres::array_of(events.numbers);
    const std::string frames = store::postgres::array_of(events.frames);
    bool may_write = false;
    std::size_t added = 0;
    const bool is_answered = insist([&] {
        const ResultPtr answer = link_->run(append_statement, {me, runs, numbers, frames});
        may_write = number_at(answer, 0, 0) == 1;
        added = static_cast<std::size_t>(number_at(answer, 0, 1));
    });
    if (!is_answered) return journal_is_closed();
    if (!may_write) return lost();
    if (added == events.numbers.size()) return {};
    return Error{Errc::conflict, "Not all events were added."};
}

Result<> Writer::outcome_of(const Append& append)
{
    Events events;
    events.add(append);
    const std::string me = to_network_order(append.me);
    const std::string numbers = store::postgres::array_of(events.numbers);
    const std::string frames = store::postgres::array_of(events.frames);
    Result<> outcome = journal_is_closed();
    insist([&] {
        const ResultPtr found = link_->run(examine_statement, {me, append.run, numbers, frames});
        if (row_count(found) == 0)
            outcome = not_found("The run");
        else if (number_at(found, 0, 0) == 0)
            outcome = lost();
        else if (static_cast<std::size_t>(number_at(found, 0, 1)) == append.frames.size())
            outcome = {};
        else
            outcome = Error{Errc::internal, "An event of this run cannot be journalled.",
                            fmt::format("event number {} already exists", append.first)};
    });
    return outcome;
}

// The store has removed the events of an end that it has. Later, only an append whose answer was
// not waited for can add some: one on a connection that was lost, or one that repeats events.
bool Writer::may_have_events(const Ended& ended) const
{
    const auto known = known_.find(ended.run);
    return !ended.is_stored || known == known_.end() ||
           known->second.connection != next_connection();
}

void Writer::remove_all(const AllEnded& ended, bool sweeps)
{
    std::vector<std::string_view> runs;
    for (const Ended& each : ended) {
        if (may_have_events(each)) runs.push_back(each.run);
        known_.erase(each.run);
    }
    runs_ = known_.size();
    try {
        const std::string me = to_network_order(options_.me());
        if (!runs.empty())
            insist([&] {
                const ResultPtr missing =
                    link_->run(end_statement, {store::postgres::array_of(runs), me});
                if (number_at(missing, 0, 0) > 0) sweeps = true;
            });
        if (sweeps) sweep_once();
    } catch (const Failure& failure) {
        if (failure.is_lost()) link_.reset();
        log::warn("cannot remove events of ended runs", log::kv("reason", failure.what()));
    }
}

// Appends wait for it, so it reads one entry of the index for each run, and is not repeated if it
// takes too long: the next one is soon enough.
void Writer::sweep_once()
{
    give_up_at_ = Steady::now() + patience_to_store;
    connect();
    link_->link().execute(
        "WITH RECURSIVE stored(run) AS ((SELECT run FROM run_events ORDER BY run LIMIT 1)"
        " UNION ALL SELECT (SELECT next.run FROM run_events AS next WHERE next.run > stored.run"
        " ORDER BY next.run LIMIT 1) FROM stored WHERE stored.run IS NOT NULL)"
        " DELETE FROM run_events WHERE run = ANY (ARRAY(SELECT run FROM stored"
        " WHERE run IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM runs WHERE position = stored.run AND completed_ms IS NULL)))");
}

}  // namespace parley::journal::postgres
