#include "store/sql/event_log.hpp"

#include "base/id.hpp"
#include "store/sql/people.hpp"

#include <algorithm>

namespace parley::store::sql {
namespace {

// Numbers that one read looks at: some milliseconds, however few of them are wanted.
constexpr std::int64_t most_read = 10'000;

struct Head {
    std::int64_t first = 1;  // The oldest event that is kept.
    std::int64_t last = 0;
};

struct HeadColumns {
    const Statement* in;
    Column<std::int64_t> first{*in, "first_number"};
    Column<std::int64_t> last{*in, "last_number"};
};

struct EventColumns {
    const Statement* in;
    Column<std::int64_t> number{*in, "number"};
    Column<std::string> id{*in, "id"};
    Column<TimePoint> at{*in, "at_ms"};
    Column<std::int64_t> type{*in, "type"};
    Column<std::string> subject{*in, "subject"};
    Column<std::string> parent{*in, "session"};
    Column<std::string> request{*in, "request"};
    Column<std::string> automation{*in, "automation"};
    Column<std::string> automation_run{*in, "automation_run"};
    Column<std::int64_t> depth{*in, "depth"};
};

Head head_of(Connection& connection, std::int64_t log)
{
    Query select =
        connection.query("SELECT first_number, last_number FROM event_heads WHERE owner = ?1");
    if (!select.bind(log).next()) return {};
    const auto& at = select.columns<HeadColumns>();
    return {select[at.first], select[at.last]};
}

// Takes numbers for so many events: the last ones of the log ?1. If all events before have been
// removed, the log begins with these.
#define TAKE_NUMBERS(count, at)                                                 \
    "INSERT INTO event_heads (owner, first_number, last_number, oldest_ms)"     \
    " VALUES (?1, 1, " count ", " at                                            \
    ") ON CONFLICT (owner) DO UPDATE SET"                                       \
    " last_number = event_heads.last_number + excluded.last_number,"            \
    " oldest_ms = CASE WHEN event_heads.first_number > event_heads.last_number" \
    " THEN excluded.oldest_ms ELSE event_heads.oldest_ms END"
#define INSERT_EVENT(head)                                                  \
    "INSERT INTO events (owner, number, id, at_ms, type, subject, session," \
    " request, automation, automation_run, depth)"                          \
    " SELECT owner, last_number - ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM " head

// Events that get their numbers together.
class NewEvents {
public:
    NewEvents(Connection& connection, std::int64_t log, const Occasion& occasion,
              std::int64_t count)
        : connection_(connection), log_(log), occasion_(occasion), count_(count), rest_(count)
    {
    }

    void insert(const NewEvent& event)
    {
        const bool is_first = rest_ == count_;
        // SQLite has no statement that does both.
        if (is_first && connection_.is_shared()) return take_numbers_and_insert(event);
        if (is_first) take_numbers();
        send(connection_.query(INSERT_EVENT("event_heads WHERE owner = ?1")), event);
    }

private:
    void take_numbers()
    {
        Query insert = connection_.query(TAKE_NUMBERS("?2", "?3"));
        insert.bind(log_, count_, occasion_.at).send();
    }
    void take_numbers_and_insert(const NewEvent& event)
    {
        send(connection_.query("WITH head AS (" TAKE_NUMBERS(
                 "?12", "?4") " RETURNING owner, last_number) " INSERT_EVENT("head")),
             event, count_);
    }
    template <class... Count>
    void send(Query insert, const NewEvent& event, const Count&... count)
    {
        const std::string id = new_id("evt", occasion_.at);
        insert.bind(log_, --rest_, id, occasion_.at, static_cast<std::int64_t>(event.type),
                    event.subject, event.parent, occasion_.cause.request,
                    occasion_.cause.automation, occasion_.cause.automation_run,
                    occasion_.cause.depth, count...);
        insert.send();
    }

    Connection& connection_;
    const std::int64_t log_;
    const Occasion& occasion_;
    const std::int64_t count_;
    std::int64_t rest_;
};

Event event_of(const Query& row)
{
    const auto& at = row.columns<EventColumns>();
    return {.number = row[at.number],
            .id = row[at.id],
            .at = row[at.at],
            .type = static_cast<EventType>(row[at.type]),
            .subject = row[at.subject],
            .parent = row[at.parent],
            .cause = {.request = row[at.request],
                      .automation = row[at.automation],
                      .automation_run = row[at.automation_run],
                      .depth = row[at.depth]}};
}

Result<EventPage> read_after(Connection& connection, const Owner& owner, std::int64_t after,
                             EventTypes types, std::size_t limit)
{
    const auto log = owner_number(connection, owner);
    const Head head = log ? head_of(connection, *log) : Head{};
    EventPage page{.oldest = head.first, .latest = head.last};
    const std::int64_t from = std::max(after, head.first - 1);
    page.read_to = std::max(from, std::min(head.last, from + most_read));
    if (page.read_to == from) return page;
    Query select = connection.query(
        "SELECT number, id, at_ms, type, subject, session, request, automation, automation_run,"
        " depth FROM events"
        " WHERE owner = ?1 AND number > ?2 AND number <= ?3 AND ((?4 >> CAST(type AS INTEGER)) & "
        "1) = 1"
        " ORDER BY number LIMIT ?5");
    select.bind(*log, from, page.read_to, types.bits(), at_most(limit));
    while (select.next()) page.events.push_back(event_of(select));
    if (page.events.size() == limit && limit > 0) page.read_to = page.events.back().number;
    return page;
}

// How many of the oldest events of a log are from before a time, and when the next one is from.
struct Expired {
    std::int64_t count = 0;
    std::optional<TimePoint> next_at = {};
};

Expired count_expired(Connection& connection, std::int64_t log, TimePoint before, std::size_t most)
{
    Query select =
        connection.query("SELECT at_ms FROM events WHERE owner = ?1 ORDER BY number LIMIT ?2");
    select.bind(log, at_most(most + 1));
    Expired expired;
    while (select.next()) {
        const auto at = select.only<TimePoint>();
        if (at >= before || expired.count == at_most(most)) {
            expired.next_at = at;
            break;
        }
        ++expired.count;
    }
    return expired;
}

std::size_t shorten(Connection& connection, std::int64_t log, TimePoint before, std::size_t most)
{
    connection.lock(Lock::event_log, {std::to_string(log)});
    const Expired expired = count_expired(connection, log, before, most);
    const std::int64_t first = head_of(connection, log).first + expired.count;
    connection.query("DELETE FROM events WHERE owner = ?1 AND number < ?2").bind(log, first).run();
    Query update = connection.query(
        "UPDATE event_heads SET first_number = ?2, oldest_ms = ?3 WHERE owner = ?1");
    update.bind(log, first, expired.next_at).run();
    return static_cast<std::size_t>(expired.count);
}

Result<std::size_t> remove_old(Connection& connection, TimePoint before, std::size_t most)
{
    std::vector<std::int64_t> logs;
    {
        Query select = connection.query(
            "SELECT owner FROM event_heads WHERE oldest_ms < ?1 ORDER BY oldest_ms LIMIT 100");
        select.bind(before);
        while (select.next()) logs.push_back(select.only<std::int64_t>());
    }
    std::size_t removed = 0;
    for (const std::int64_t log : logs)
        if (removed < most) removed += shorten(connection, log, before, most - removed);
    return removed;
}

}  // namespace

std::optional<Occasion> occasion_of(const std::optional<AuditEvent>& audit)
{
    if (!audit) return std::nullopt;
    return Occasion{.at = audit->at, .cause = {.request = audit->request_id}};
}

void record_events(Connection& connection, const Owner& owner, const Occasion& occasion,
                   std::span<const NewEvent> events)
{
    if (events.empty()) return;
    if (const auto log = owner_number(connection, owner))
        record_events(connection, owner, *log, occasion, events);
}

void record_events(Connection& connection, const Owner& owner, std::int64_t log,
                   const Occasion& occasion, std::span<const NewEvent> events)
{
    NewEvents added(connection, log, occasion, std::ssize(events));
    for (const NewEvent& event : events) added.insert(event);
    connection.note_grown_log(owner);
}

std::int64_t latest_number(Connection& connection, const Owner& owner)
{
    const auto log = owner_number(connection, owner);
    return log ? head_of(connection, *log).last : 0;
}

void forget_logs(Connection& connection, const std::string& user)
{
    for (const bool test : {false, true}) {
        const auto log = owner_number(connection, {user, test});
        if (!log) continue;
        // The head first: this waits for transactions that are extending the log.
        connection.query("DELETE FROM event_heads WHERE owner = ?1").bind(*log).run();
        connection.query("DELETE FROM events WHERE owner = ?1").bind(*log).run();
    }
}

Task<Result<EventPage>> SqlEventLog::read(Owner owner, std::int64_t after, EventTypes types,
                                          std::size_t limit)
{
    return reads_.run<EventPage>(
        [owner = std::move(owner), after, types, limit](Connection& connection) {
            return read_after(connection, owner, after, types, limit);
        });
}

Task<Result<std::size_t>> SqlEventLog::sweep(TimePoint before, std::size_t most)
{
    return writes_.run<std::size_t>(
        [before, most](Connection& connection) { return remove_old(connection, before, most); });
}

}  // namespace parley::store::sql
