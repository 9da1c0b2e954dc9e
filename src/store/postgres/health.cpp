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
// Long enough to try several hosts; requests are refused meanwhile.
constexpr milliseconds patience_to_connect{10'000};
constexpr milliseconds after_an_end{20};
constexpr std::string_view ended_by_administrator = "57P01";  // This connection, or all.

std::int64_t steady_ms()
{
    return std::chrono::duration_cast<milliseconds>(Steady::now().time_since_epoch()).count();
}

}  // namespace

Health::Health(const Options& options, std::string name)
    : options_(options), name_(std::move(name)), heard_at_(steady_ms())
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

bool Health::wait_until_back(milliseconds most)
{
    const auto end = Steady::now() + most;
    MutexLock lock(mutex_);
    while (is_away() && !is_closing_)
        if (!changed_.wait_until(lock, end)) break;
    return !is_away();
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
                deadline = Steady::now() + (link ? options_.patience : patience_to_connect);
                if (!link) link = connected(give_up);
                link->execute("SELECT 1");
                heard();
                if (asked++ % questions_between_chores == 0) {
                    deadline += std::chrono::seconds(10);
                    do_chores(*link);
                }
                break;
            } catch (const Failure& failure) {
                link.reset();
                // A server that says so answers; if it stops, the next connection fails.
                if (failure.state() == ended_by_administrator && pause(after_an_end)) continue;
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
    link->execute("SET statement_timeout = '2s'");
    return link;
}

// Another transaction may hold them up. They are done the next time; this connection has the lock
// of the server, and must not hang.
void Health::do_chores(Link& link)
try {
    bytes_ = std::stoull(link.text("SELECT pg_database_size(current_database())"));
    // Connections of servers that were killed. No transaction is undecided for so long.
    link.execute("DELETE FROM commit_marks WHERE at < clock_timestamp() - interval '1 day'");
    // News for other servers, which hear of them within a second.
    link.execute("DELETE FROM heard WHERE at < clock_timestamp() - interval '1 day'");
} catch (const Failure& failure) {
    if (failure.is_lost()) throw;
}

}  // namespace parley::store::postgres
