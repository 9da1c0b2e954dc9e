#include "store/sql/turns.hpp"

#include "store/refusals.hpp"
#include "store/sql/people.hpp"
#include "store/sql/replicas.hpp"
#include "store/sql/run_rows.hpp"

#include <algorithm>
#include <unordered_map>

// In all of these ?1 is the line: 1 for the one of the scripted model.
#define OF_LINE " ((runs.owner % 2 = 1 OR runs.model = 'scripted') = (?1 = 1))"
#define HAS_PLACE " runs.completed_ms IS NULL AND runs.status = 'running' AND" OF_LINE
#define WAITS                                                                         \
    " runs.completed_ms IS NULL AND runs.status = 'queued' AND runs.cancel_asked = 0" \
    " AND (runs.replica IS NULL OR NOT EXISTS (SELECT 1 FROM replicas"                \
    " WHERE replicas.incarnation = runs.replica AND NOT replicas.fenced)) AND" OF_LINE
// Automations wait behind people for a minute: ?2 is the time of those that have.
#define BEHIND " CASE WHEN runs.automation_run <> '' AND runs.created_ms > ?2 THEN 1 ELSE 0 END"
#define BUSY                                                                                   \
    " busy AS (SELECT runs.owner / 2 AS person, count(*) AS running FROM runs WHERE" HAS_PLACE \
    " GROUP BY runs.owner / 2)"
#define JOIN_BUSY_AND_TURNS                        \
    " LEFT JOIN busy ON busy.person = line.person" \
    " LEFT JOIN run_turns ON run_turns.person = line.person AND run_turns.line = ?1"

namespace parley::store::sql {
namespace {

constexpr std::chrono::minutes patience_with_people{1};

// The runs of all users, and those of one.
struct Counts {
    std::int64_t all = 0;
    std::int64_t own = 0;
};

struct CountColumns {
    const Statement* in;
    Column<std::int64_t> all{*in, "of_all"};
    Column<std::int64_t> own{*in, "of_user"};
};

struct TurnColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<std::int64_t> person{*in, "person"};
    Column<std::int64_t> running{*in, "running"};
};

struct PositionColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<std::int64_t> place{*in, "place"};
};

bool is_scripted(const Run& run) { return run.owner.test || run.model == "scripted"; }

// The position of its user, who owns its session.
std::int64_t person_of(Connection& connection, const Run& run)
{
    return owner_number(connection, run.owner).value_or(0) / 2;
}

std::int64_t line_of(bool is_scripted) { return is_scripted ? 1 : 0; }

void lock_places(Connection& connection, bool is_scripted)
{
    connection.lock(Lock::turns, {is_scripted ? "scripted" : "real"});
}

Counts counted(Query& query, std::int64_t line, std::int64_t person)
{
    query.bind(line, person).next();
    const auto& at = query.columns<CountColumns>();
    return {query[at.all], query[at.own]};
}

Counts count_running(Connection& connection, std::int64_t line, std::int64_t person)
{
    Query query = connection.query(
        "SELECT count(*) AS of_all, count(CASE WHEN runs.owner / 2 = ?2 THEN 1 END) AS of_user"
        " FROM runs WHERE" HAS_PLACE);
    return counted(query, line, person);
}

Counts count_waiting_people(Connection& connection, std::int64_t line, std::int64_t person)
{
    Query query = connection.query(
        "SELECT count(*) AS of_all, count(CASE WHEN runs.owner / 2 = ?2 THEN 1 END) AS of_user"
        " FROM runs WHERE" WAITS " AND runs.automation_run = ''");
    return counted(query, line, person);
}

// One more run of a user who has so many of the running ones.
bool is_place_left(const Counts& running, std::int64_t places, bool keeps_one)
{
    if (places == 0) return true;
    return running.all < places && running.own < places - (keeps_one && places > 1 ? 1 : 0);
}

TimePoint patient_since(TimePoint now) { return now - patience_with_people; }

struct Turn {
    std::string run;
    std::int64_t person = 0;
};

std::optional<Turn> next_turn(Connection& connection, const TurnRequest& wanted, TimePoint now)
{
    Query select = connection.query(
        "WITH line AS (SELECT runs.owner / 2 AS person, min(runs.position) AS first," BEHIND
        " AS behind FROM runs WHERE" WAITS " GROUP BY 1, 3)," BUSY
        " SELECT runs.id, users.id AS of_user, line.person,"
        " coalesce(busy.running, 0) AS running FROM line"
        " JOIN runs ON runs.position = line.first"
        " JOIN users ON users.position = line.person" JOIN_BUSY_AND_TURNS
        " ORDER BY line.behind, coalesce(busy.running, 0), coalesce(run_turns.turn, 0),"
        " line.first");
    select.bind(line_of(wanted.is_scripted), patient_since(now));
    while (select.next()) {
        const auto& at = select.columns<TurnColumns>();
        const Counts running{0, select[at.running]};  // That there is a place at all is known.
        if (!is_place_left(running, wanted.places, wanted.keeps_one)) continue;
        if (std::ranges::find(wanted.without, select[at.user]) != wanted.without.end()) continue;
        return Turn{select[at.id], select[at.person]};
    }
    return std::nullopt;
}

// A place that no waiting run may have, because all of them are of other users who have enough.
// Only the number of places is exact: a run that is just being queued may be overtaken.
bool may_begin(Connection& connection, const Run& run, const SharedLine& line, bool does_one_wait)
{
    const std::int64_t number = line_of(is_scripted(run));
    const TurnRequest of_others{.is_scripted = is_scripted(run),
                                .places = line.places,
                                .keeps_one = line.keeps_one,
                                .without = line.without};
    if (does_one_wait && next_turn(connection, of_others, run.created_at)) return false;
    if (line.places == 0) return true;
    const std::int64_t person = person_of(connection, run);
    const auto has_place = [&] {
        return is_place_left(count_running(connection, number, person), line.places,
                             line.keeps_one);
    };
    if (!has_place()) return false;
    lock_places(connection, is_scripted(run));
    return has_place();
}

bool start(Connection& connection, const std::string& run, const TurnRequest& wanted, TimePoint now)
{
    Query update = connection.query(
        "UPDATE runs SET status = 'running', started_ms = ?2, replica = ?3 WHERE id = ?1"
        " AND completed_ms IS NULL AND status = 'queued' AND cancel_asked = 0");
    return update.bind(run, now, wanted.replica).run() > 0;
}

void note_turn(Connection& connection, std::int64_t person, std::int64_t line)
{
    Query insert = connection.query(
        "INSERT INTO run_turns (person, line, turn) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (person, line) DO UPDATE SET turn = excluded.turn");
    insert.bind(person, line, connection.next_activity()).run();
}

// The positions of all runs that wait, or that of one.
std::unordered_map<std::string, std::int64_t> positions(Connection& connection, bool is_scripted,
                                                        TimePoint now, const std::string& only)
{
    Query select = connection.query(
        "WITH line AS (SELECT runs.id, runs.position, runs.owner / 2 AS person," BEHIND
        " AS behind FROM runs WHERE" WAITS ")," BUSY
        ", levels AS (SELECT line.id, line.position, line.behind,"
        " coalesce(run_turns.turn, 0) AS turn, coalesce(busy.running, 0) + row_number()"
        " OVER (PARTITION BY line.person, line.behind ORDER BY line.position) AS level"
        " FROM line" JOIN_BUSY_AND_TURNS
        "), places AS (SELECT id, row_number() OVER"
        " (ORDER BY behind, level, turn, position) AS place FROM levels)"
        " SELECT id, place FROM places WHERE ?3 = '' OR id = ?3");
    select.bind(line_of(is_scripted), patient_since(now), only);
    std::unordered_map<std::string, std::int64_t> found;
    while (select.next()) {
        const auto& at = select.columns<PositionColumns>();
        found.emplace(select[at.id], select[at.place]);
    }
    return found;
}

}  // namespace

LineQuery::LineQuery(Connection& connection, const Run& run)
    : LineQuery(connection, sql::is_scripted(run))
{
}

LineQuery::LineQuery(Connection& connection, bool is_scripted)
    : select_(connection.query("SELECT 1 FROM runs WHERE" WAITS " LIMIT 1"))
{
    select_.bind(line_of(is_scripted)).ask();
}

Result<> find_place(Connection& connection, Run& run, const SharedLine& line,
                    std::optional<bool> does_one_wait)
{
    if (run.status == RunStatus::running) {
        if (!does_one_wait) does_one_wait = LineQuery(connection, run).does_one_wait();
        if (may_begin(connection, run, line, *does_one_wait)) return {};
    }
    run.status = RunStatus::queued;
    run.started_at.reset();
    // How many runs of automations there are is limited where they are started.
    if (!run.cause.automation_run.empty()) return {};
    const Counts waiting =
        count_waiting_people(connection, line_of(is_scripted(run)), person_of(connection, run));
    if (waiting.all < line.max_waiting && waiting.own < line.max_waiting - waiting.all) return {};
    return queue_is_full();
}

void enter_line(Connection& connection, RunWithMessages& run, const SharedLine& line)
{
    add_positions(connection, {&run, 1});
    insert_first_event(connection, run.run.id, line.first_event(run));
}

void insert_first_event(Connection& connection, const std::string& run, const std::string& event)
{
    Query insert = connection.query(
        "INSERT INTO run_events (run, number, frame)"
        " SELECT position, 1, ?2 FROM runs WHERE id = ?1");
    insert.bind(run, Blob{event}).send();
}

Result<std::optional<RunWithMessages>> take_turn(Connection& connection, const TurnRequest& wanted)
{
    if (auto leased = hold_lease(connection, wanted.replica); !leased) return leased.error();
    const std::int64_t line = line_of(wanted.is_scripted);
    const auto has_place = [&] {
        return wanted.places == 0 || count_running(connection, line, 0).all < wanted.places;
    };
    // Without the lock, so that servers that find nothing do not wait for each other.
    if (!LineQuery(connection, wanted.is_scripted).does_one_wait() || !has_place())
        return std::nullopt;
    lock_places(connection, wanted.is_scripted);
    if (!has_place()) return std::nullopt;
    // Behind the lock, so that no run begins before the one whose place it has has ended.
    const TimePoint now = wanted.clock->now();
    const auto next = next_turn(connection, wanted, now);
    // It may have been cancelled or deleted meanwhile.
    if (!next || !start(connection, next->run, wanted, now)) return std::nullopt;
    note_turn(connection, next->person, line);
    auto found = find_run(connection, next->run);
    if (!found) return std::nullopt;
    return std::optional(whole(connection, std::move(*found)));
}

void add_positions(Connection& connection, std::span<RunWithMessages> runs)
{
    if (!connection.is_shared()) return;
    for (const bool scripted : {false, true}) {
        std::vector<RunWithMessages*> waiting;
        for (RunWithMessages& each : runs)
            if (each.run.status == RunStatus::queued && is_scripted(each.run) == scripted)
                waiting.push_back(&each);
        if (waiting.empty()) continue;
        const std::string only = waiting.size() == 1 ? waiting.front()->run.id : "";
        const auto found = positions(connection, scripted, system_clock().now(), only);
        for (RunWithMessages* each : waiting)
            if (const auto place = found.find(each->run.id); place != found.end())
                each->queue_position = place->second;
    }
}

}  // namespace parley::store::sql
