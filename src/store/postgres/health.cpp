#include "store/postgres/health.hpp"

#include "base/log.hpp"
#include "store/postgres/schema.hpp"

#include <algorithm>
#include <memory>
#include <pthread.h>
#include <string_view>

namespace parley::store::postgres {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

constexpr milliseconds between_questions{300};
constexpr int questions_between_chores = 200;  // About a minute.
constexpr milliseconds time_for_a_chore{2000};
// Requests are refused meanwhile. After a failure the next host is tried first (host_order.hpp).
constexpr milliseconds patience_to_connect{2000};
constexpr milliseconds after_an_end{20};
constexpr int most_ends = 5;
constexpr std::string_view ended_by_administrator = "57P01";  // This connection, or all.

std::int64_t ms_of(Steady::time_point time)
{
    return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

std::int64_t steady_ms() { return ms_of(Steady::now()); }

}  // namespace

Health::Health(const Options& options, std::string name)
    : options_(options),
      name_(std::move(name)),
      heard_at_(steady_ms()),
      trial_(options_, is_closing_)
{
    thread_ = std::thread([this] { watch(); });
    ::pthread_setname_np(thread_.native_handle(), "store-health");
}

Health::~Health()
{
    {
        const MutexLock lock(mutex_);
        is_closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

bool Health::is_away() const { return away_for() > milliseconds(0); }

milliseconds Health::away_for() const
{
    const milliseconds silence(std::max<std::int64_t>(steady_ms() - heard_at_, 1));
    return is_refused_ || silence > options_.patience ? silence : milliseconds(0);
}

milliseconds Health::refuses_changes_for() const
{
    const std::int64_t since = hangs_since_;
    const milliseconds hanging(since == 0 ? 0 : std::max<std::int64_t>(steady_ms() - since, 1));
    return std::max(hanging, away_for());
}

bool Health::wait_for_changes(milliseconds most)
{
    const auto end = Steady::now() + most;
    MutexLock lock(mutex_);
    while (refuses_changes() && !is_closing_)
        if (!changed_.wait_until(lock, end)) break;
    return !refuses_changes();
}

void Health::end_soon()
{
    std::int64_t not_yet = 0;
    ends_since_.compare_exchange_strong(not_yet, steady_ms());
}

// A COMMIT that is sent during the end has as much time as those before.
Steady::time_point Health::end_of_settling(Steady::time_point begun) const
{
    const auto end = begun + options_.settling;
    const std::int64_t since = ends_since_;
    if (since == 0) return end;
    const auto begun_at_end = std::max(begun, Steady::time_point(milliseconds(since)));
    return std::min(end, begun_at_end + options_.settling_at_end);
}

void Health::note_unknown_outcome()
{
    has_unknown_ = true;
    if (!refuses_changes()) tell_unknown_outcome();
}

void Health::tell_unknown_outcome()
{
    if (has_unknown_.exchange(false) && options_.on_unknown_outcome) options_.on_unknown_outcome();
}

void Health::heard()
{
    const bool was_away = is_away();
    {
        const MutexLock lock(mutex_);
        heard_at_ = steady_ms();
        is_refused_ = false;
    }
    if (!was_away) return;
    changed_.notify_all();
    log::info("database reachable again", log::kv("database", name_));
}

void Health::missed(const std::string& why)
{
    if (is_refused_.exchange(true) || is_closing_) return;
    log::error("cannot reach the database; retrying", log::kv("database", name_),
               log::kv("reason", why));
}

bool Health::pause(milliseconds time)
{
    const auto end = Steady::now() + time;
    MutexLock lock(mutex_);
    while (!is_closing_)
        if (!changed_.wait_until(lock, end)) break;
    return !is_closing_;
}

void Health::watch()
{
    std::unique_ptr<Link> link;
    Steady::time_point deadline;
    const auto give_up = [&] { return is_closing_ || Steady::now() > deadline; };
    int asked = 0;
    do {
        for (int reconnections = link ? 1 : 0;; --reconnections) {
            try {
                deadline =
                    Steady::now() +
                    (link ? options_.patience : std::max(options_.patience, patience_to_connect));
                if (!link) link = connected(give_up);
                link->execute("SELECT 1");
                heard();
                examine_commits();
                if (asked++ % questions_between_chores == 0) {
                    deadline += std::chrono::seconds(10);
                    do_chores(*link);
                }
                break;
            } catch (const Failure& failure) {
                link.reset();
                ++losses_;
                trial_.forget();
                // A server that says so answers; if it stops, the next connection fails.
                if (failure.state() == ended_by_administrator && reconnections > -most_ends &&
                    pause(after_an_end))
                    continue;
                if (reconnections > 0) continue;
                missed(failure.what());
                break;
            }
        }
    } while (pause(between_questions));
}

std::unique_ptr<Link> Health::connected(const Link::GiveUp& give_up)
{
    auto link = std::make_unique<Link>(options_, give_up);
    if (options_.is_server && !take_server_lock(*link))
        throw Failure(connection_lost, "a server of an earlier version uses this database");
    link->execute("SET statement_timeout = " + std::to_string(time_for_a_chore.count()));
    // The chores wait for no standby: a statement_timeout would end such a wait, too.
    link->execute("SET synchronous_commit = off");
    return link;
}

// A trial is begun if a change waits for long, and as long as changes are refused.
void Health::examine_commits()
{
    if (is_suspected_.exchange(false) || hangs_since_ != 0 || trial_.begun()) {
        if (trial_.is_answered())
            commits_are_answered();
        else if (const auto begun = trial_.begun();
                 begun && Steady::now() - *begun > options_.patience)
            commits_hang(*begun);
    } else {
        trial_.rest();
    }
    if (!refuses_changes()) tell_unknown_outcome();
}

void Health::commits_are_answered()
{
    {
        const MutexLock lock(mutex_);
        if (hangs_since_.exchange(0) == 0) return;
    }
    changed_.notify_all();
    log::info("the database stores changes again", log::kv("database", name_));
}

void Health::commits_hang(Steady::time_point since)
{
    std::int64_t not_yet = 0;
    if (!hangs_since_.compare_exchange_strong(not_yet, ms_of(since))) return;
    log::error(
        "the database does not answer COMMIT; its synchronous standby may be missing; "
        "changes are refused until it answers",
        log::kv("database", name_));
}

// Another transaction may hold them up. They are done the next time; this connection has the lock
// of the server, and must not hang. A server that takes its time for one of them is not away.
void Health::do_chores(Link& link)
try {
    const auto begin_one = [this] { heard_at_ = steady_ms() + time_for_a_chore.count(); };
    begin_one();
    bytes_ = std::stoull(link.text("SELECT pg_database_size(current_database())"));
    begin_one();
    // Connections of servers that were killed. No transaction is undecided for so long.
    link.execute("DELETE FROM commit_marks WHERE at < clock_timestamp() - interval '1 day'");
    begin_one();
    // News for other servers, which hear of them within a second.
    link.execute("DELETE FROM heard WHERE at < clock_timestamp() - interval '1 day'");
    heard_at_ = steady_ms();
} catch (const Failure& failure) {
    if (failure.is_lost()) throw;
    heard_at_ = steady_ms();
}

}  // namespace parley::store::postgres
