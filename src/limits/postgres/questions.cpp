#include "limits/postgres/questions.hpp"

#include "base/log.hpp"
#include "store/postgres/failure.hpp"

#include <pthread.h>
#include <utility>

namespace parley::limits::postgres {
namespace {

using Steady = std::chrono::steady_clock;
using store::postgres::array_of;
using store::postgres::Failure;
using store::postgres::number_at;
using store::postgres::Statement;
using store::postgres::to_network_order;
using store::postgres::type_array_of_bigint;
using store::postgres::type_array_of_bytea;
using store::postgres::type_bigint;

constexpr std::size_t most_at_once = 256;
// A statement that was given up ends a moment later in PostgreSQL, too, if it waits for locks
// there.
constexpr std::chrono::milliseconds time_after_patience{600};
constexpr std::chrono::milliseconds patience_to_sweep{300};  // Requests wait meanwhile.
constexpr std::chrono::minutes between_sweeps{1};

constexpr std::string_view ended_by_administrator = "57P01";

// Without a moment the database's clock counts. Columns are returned as text.
const Statement admit_statement{
    "admit",
    "SELECT is_admitted::int::text, remaining::text, wait::text, mark::text, decided::text"
    " FROM parley_admit_v1($1, $2, $3, $4, $5, nullif($6, 0))",
    {type_array_of_bigint, type_array_of_bytea, type_array_of_bigint, type_array_of_bigint,
     type_bigint, type_bigint}};

const Statement give_back_statement{"give_back",
                                    "SELECT parley_give_back_v1($1, $2)::text",
                                    {type_array_of_bytea, type_array_of_bigint}};

// Keys whose admissions are all over. Those that are being used are left for the next time.
const Statement sweep_statement{
    "sweep",
    "DELETE FROM limits WHERE id IN (SELECT id FROM limits"
    " WHERE coalesce(stamps[cardinality(stamps)], 0) <="
    " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000 - $1"
    " LIMIT 10000 FOR UPDATE SKIP LOCKED)",
    {type_bigint}};

// The parameters of admit_statement: one element for each key.
struct Entries {
    std::vector<std::int64_t> requests;
    std::vector<std::string_view> ids;
    std::vector<std::int64_t> most;
    std::vector<std::int64_t> charged;  // One for each request.

    void add(const Asked& asked)
    {
        charged.push_back(asked.what == Asked::What::admit ? 1 : 0);
        for (std::size_t i = 0; i < asked.ids.size(); ++i) {
            requests.push_back(std::ssize(charged));
            ids.push_back(asked.ids[i]);
            most.push_back(asked.most[i]);
        }
    }
};

Error overloaded() { return {Errc::overloaded, "Too many requests wait to be counted."}; }

}  // namespace

Questions::Questions(const Options& options)
    : options_(options), next_sweep_(Steady::now() + between_sweeps)
{
    thread_ = std::thread([this] { work(); });
    ::pthread_setname_np(thread_.native_handle(), "limits");
}

Questions::~Questions()
{
    {
        const MutexLock lock(mutex_);
        is_closing_ = true;
    }
    filled_.notify_all();
    thread_.join();
}

void Questions::submit(Question question)
{
    MutexLock lock(mutex_);
    if (!is_closing_ && waiting_.size() < options_.most_waiting) {
        waiting_.push_back(std::move(question));
        filled_.notify_one();
        return;
    }
    lock.unlock();
    std::move(question.answer)(overloaded());
}

void Questions::work()
{
    for (Batch batch; wait_for_questions(batch);) {
        if (!batch.empty()) answer(std::exchange(batch, {}));
        if (Steady::now() >= next_sweep_) sweep();
    }
}

// False at the end. Nothing may have come when it is time to sweep.
bool Questions::wait_for_questions(Batch& batch)
{
    MutexLock lock(mutex_);
    while (waiting_.empty() && !is_closing_)
        if (!filled_.wait_until(lock, next_sweep_)) return true;
    while (!waiting_.empty() && batch.size() < most_at_once) {
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    return !batch.empty();
}

void Questions::answer(Batch batch)
{
    give_up_at_ = Steady::now() + options_.patience;
    // Admissions are given back first: they are free for those that ask at the same time.
    Batch returning;
    Batch asking;
    for (Question& each : batch)
        (each.what == Asked::What::give_back ? returning : asking).push_back(std::move(each));
    if (!returning.empty()) {
        const auto given = attempt([&] { give_back(returning); });
        for (Question& each : returning)
            std::move(each.answer)(given ? Result<KeyAnswers>(KeyAnswers()) : given.error());
    }
    if (!asking.empty()) {
        std::vector<KeyAnswers> answers;
        const auto asked = attempt([&] { ask(asking, answers); });
        for (std::size_t i = 0; i < asking.size(); ++i)
            std::move(asking[i].answer)(asked ? Result<KeyAnswers>(std::move(answers[i]))
                                              : asked.error());
    }
    if (!link_ && Steady::now() > give_up_at_) refuse_waiting();
}

// They have waited as long as the batch that the database did not answer.
void Questions::refuse_waiting()
{
    std::deque<Question> refused;
    {
        const MutexLock lock(mutex_);
        refused.swap(waiting_);
    }
    for (Question& each : refused)
        std::move(each.answer)(store::postgres::unavailable_error("the database does not answer"));
}

// A statement is not sent again if it may have counted: two admissions of one batch may have the
// same time, and giving one back twice would give back the other one, too. A connection that was
// ended alone says so instead of an answer, and has done nothing then.
template <class Work>
Result<> Questions::attempt(const Work& work)
{
    constexpr int most_tries = 5;
    for (int tried = 1;; ++tried) {
        const bool is_new = !link_;
        bool was_sent = false;
        try {
            connect();
            was_sent = true;
            work();
            return {};
        } catch (const Failure& failure) {
            if (failure.is_lost()) link_.reset();
            const bool may_have_counted = was_sent && failure.state() != ended_by_administrator;
            const bool may_retry =
                failure.is_lost() ? !is_new && !may_have_counted : failure.is_conflict();
            if (!may_retry || tried == most_tries || Steady::now() > give_up_at_)
                return store::postgres::to_error(failure);
        }
    }
}

void Questions::connect()
{
    if (link_ && link_->link().has_ended()) link_.reset();
    if (!link_) {
        auto link = std::make_unique<store::postgres::PreparedLink>(
            options_.database, [this] { return Steady::now() > give_up_at_; });
        // As in a file on one machine: a power failure may lose the last moments.
        link->link().execute(
            "SELECT set_config('synchronous_commit', 'off', false),"
            " set_config('statement_timeout', '" +
            std::to_string((options_.patience + time_after_patience).count()) + "', false)");
        link_ = std::move(link);
    }
    link_->link().follow_name();
}

void Questions::ask(const Batch& batch, std::vector<KeyAnswers>& answers)
{
    Entries entries;
    for (const Question& each : batch) entries.add(each);
    const std::chrono::nanoseconds width = options_.limits.window;
    const std::chrono::nanoseconds moment = options_.decides_by_clock
                                                ? options_.clock->now().time_since_epoch()
                                                : std::chrono::nanoseconds(0);
    const auto rows = link_->run(
        admit_statement, {array_of(entries.requests), array_of(entries.ids), array_of(entries.most),
                          array_of(entries.charged), to_network_order(width.count()),
                          to_network_order(moment.count())});
    answers.clear();
    int row = 0;
    for (const Question& each : batch) {
        KeyAnswers keys;
        for (std::size_t i = 0; i < each.ids.size(); ++i, ++row)
            keys.push_back({.admitted = number_at(rows, row, 0) == 1,
                            .remaining = number_at(rows, row, 1),
                            .wait = number_at(rows, row, 2),
                            .mark = number_at(rows, row, 3),
                            .now = number_at(rows, row, 4)});
        answers.push_back(std::move(keys));
    }
}

void Questions::give_back(const Batch& batch)
{
    std::vector<std::string_view> ids;
    std::vector<std::int64_t> marks;
    for (const Question& each : batch) {
        ids.insert(ids.end(), each.ids.begin(), each.ids.end());
        marks.insert(marks.end(), each.marks.begin(), each.marks.end());
    }
    link_->run(give_back_statement, {array_of(ids), array_of(marks)});
}

void Questions::sweep()
{
    next_sweep_ = Steady::now() + between_sweeps;
    if (options_.decides_by_clock) return;
    give_up_at_ = Steady::now() + patience_to_sweep;
    const std::chrono::nanoseconds width = options_.limits.window;
    const auto swept =
        attempt([&] { link_->run(sweep_statement, {to_network_order(width.count())}); });
    if (!swept)
        log::debug("cannot remove old rate limits", log::kv("reason", swept.error().message));
}

}  // namespace parley::limits::postgres
