#include "store/postgres/connection.hpp"

#include "base/id.hpp"
#include "base/sha256.hpp"
#include "store/postgres/types.hpp"

#include <array>

namespace parley::store::postgres {
namespace {

// Equal on all servers. Two names with the same number only wait for each other.
std::int64_t lock_number_of(sql::Lock what, std::initializer_list<std::string_view> name)
{
    std::string text = std::to_string(static_cast<int>(what));
    for (const std::string_view part : name) {
        text += '\0';
        text += part;
    }
    const Sha256 hash = sha256(text);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i) number = number << 8 | hash.at(i);
    return static_cast<std::int64_t>(number);
}

std::string_view name_of(sql::Notice what)
{
    switch (what) {
        case sql::Notice::session:
            return "session";
        case sql::Notice::runs:
            return "runs";
        case sql::Notice::user:
            return "user";
        case sql::Notice::rights:
            break;
    }
    return "rights";
}

}  // namespace

PostgresConnection::PostgresConnection(const Options& options, Link::GiveUp give_up)
    : link_(options, std::move(give_up)),
      mark_{.connection = new_id("con", std::chrono::system_clock::now())}
{
}

sql::Statement& PostgresConnection::prepared(const char* sql)
{
    auto& statement = kept_[sql];
    if (!statement) statement = std::make_unique<PostgresStatement>(*this, sql);
    return *statement;
}

std::string PostgresConnection::new_statement_name() { return "s" + std::to_string(++names_); }

std::string PostgresConnection::row_number_of(std::string_view table)
{
    sql::Query select = query(
        "SELECT attname::text::bytea FROM pg_attribute"
        " WHERE attrelid = to_regclass(convert_from(?1, 'UTF8')) AND attidentity <> ''");
    if (!select.bind(table).next())
        throw std::logic_error("no row number in table " + std::string(table));
    return select.only<std::string>();
}

void PostgresConnection::begin(Mode mode)
{
    link_.take_end();
    has_changed_ = false;
    mode_ = mode;
    link_.send(mode == Mode::read ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
                                  : "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
}

void PostgresConnection::send_mark()
{
    static constexpr auto types = std::to_array<Oid>({type_bytea, type_bigint});
    // The mark before is named exactly: a range would read all those that were deleted since the
    // last vacuum. One that is left behind is deleted after a day.
    if (!is_mark_prepared_) {
        link_.send_prepare(
            "mark",
            "WITH earlier AS (DELETE FROM commit_marks WHERE connection = $1 AND number = $2 - 1)"
            " INSERT INTO commit_marks (connection, number) VALUES ($1, $2)",
            types);
        link_.answer();  // Not prepared if a statement fails that was sent before.
        is_mark_prepared_ = true;
    }
    // In one round trip with COMMIT.
    ++mark_.number;
    const std::string number = to_network_order(mark_.number);
    const std::array<const char*, 2> values{mark_.connection.data(), number.data()};
    const std::array sizes{static_cast<int>(mark_.connection.size()),
                           static_cast<int>(number.size())};
    link_.send_prepared("mark", values, sizes);
}

void PostgresConnection::commit()
{
    if (has_changed_) send_mark();
    if (mode_ == Mode::read) {
        link_.send("COMMIT");
        return link_.send_end();
    }
    try {
        end_changes();
    } catch (const Failure& failure) {
        if (has_changed_ && failure.is_lost())
            throw UnknownOutcome(failure.state(), failure.what());
        throw;
    }
}

// A COMMIT that waits for a synchronous standby can be told to wait no longer: by an administrator,
// or by a server that fences this one. Then it is answered with a warning: others see the change,
// but a failover would lose it.
void PostgresConnection::end_changes()
{
    const int warnings = link_.warnings();
    link_.send("COMMIT");
    link_.end();
    if (link_.warnings() != warnings)
        throw Failure(connection_lost, "COMMIT did not wait for the standby");
}

void PostgresConnection::roll_back()
{
    take_grown_logs();
    link_.send("ROLLBACK");
    link_.end();
}

bool PostgresConnection::was_committed(const CommitMark& mark)
{
    begin(Mode::write);
    // With a second row, which tells this from the mark of the transaction itself: the answer to an
    // earlier question may have been lost, but not what it has stored.
    sql::Query claim = query(
        "WITH claim AS (INSERT INTO commit_marks (connection, number) VALUES (?1, ?2)"
        " ON CONFLICT DO NOTHING RETURNING number)"
        " INSERT INTO commit_marks (connection, number) SELECT ?1, -number FROM claim");
    sql::Query claimed = query("SELECT 1 FROM commit_marks WHERE connection = ?1 AND number = -?2");
    const bool is_claimed = claim.bind(mark.connection, mark.number).run() > 0 ||
                            claimed.bind(mark.connection, mark.number).next();
    // Always a change: only a COMMIT of a change waits for the standby, which then has the earlier
    // one, too.
    query("UPDATE commit_marks SET number = number WHERE connection = ?1 AND number = ?2")
        .bind(mark.connection, mark.number)
        .run();
    end_changes();
    return !is_claimed;
}

void PostgresConnection::lock_number(sql::Lock what, std::initializer_list<std::string_view> name)
{
    query("SELECT pg_advisory_xact_lock(?1)").bind(lock_number_of(what, name)).send();
}

void PostgresConnection::lock_row(const char* sql, std::string_view name)
{
    query(sql).bind(name).send();
}

void PostgresConnection::lock(sql::Lock what, std::initializer_list<std::string_view> name)
{
    using sql::Lock;
    switch (what) {
        case Lock::claims:
        case Lock::key:
        case Lock::operators:
        case Lock::test_clock:
        case Lock::starts:
        case Lock::images:
        case Lock::sweep:
        case Lock::search_index:
        case Lock::turns:
            return lock_number(what, name);
        case Lock::replica:
            query("SELECT 1 FROM replicas WHERE incarnation = ?1 FOR KEY SHARE")
                .bind(std::stoll(std::string(*name.begin())))
                .send();
            return;
        case Lock::user:
            // Also waits for transactions that add rows for this user: those hold KEY SHARE.
            return lock_row("SELECT 1 FROM users WHERE id = ?1 FOR UPDATE", *name.begin());
        case Lock::budget:
            return lock_row("SELECT 1 FROM users WHERE id = ?1 FOR NO KEY UPDATE", *name.begin());
        case Lock::automation:
            return lock_row("SELECT 1 FROM automations WHERE id = ?1 FOR NO KEY UPDATE",
                            *name.begin());
        case Lock::automation_of_row:
            return lock_row(
                "SELECT 1 FROM automations JOIN automation_runs"
                " ON automation_runs.automation = automations.position"
                " WHERE automation_runs.id = ?1 FOR NO KEY UPDATE OF automations",
                *name.begin());
        case Lock::automations_of_session:
            return lock_row(
                "SELECT 1 FROM automations WHERE session = ?1 OR position IN"
                " (SELECT automation FROM automation_runs WHERE session = ?1)"
                " ORDER BY position FOR NO KEY UPDATE",
                *name.begin());
        case Lock::webhook:
            return lock_row("SELECT 1 FROM webhooks WHERE id = ?1 FOR NO KEY UPDATE",
                            *name.begin());
        case Lock::token:
            return lock_row("SELECT 1 FROM tokens WHERE id = ?1 FOR NO KEY UPDATE", *name.begin());
        case Lock::shown_token:
            return lock_row("SELECT 1 FROM tokens WHERE hash = ?1 FOR NO KEY UPDATE",
                            *name.begin());
        case Lock::session:
            return lock_row("SELECT 1 FROM sessions WHERE id = ?1 FOR NO KEY UPDATE",
                            *name.begin());
        case Lock::session_of_run:
            // An attempt to begin a run takes them in this order, too.
            lock_row(
                "SELECT 1 FROM automations JOIN automation_runs"
                " ON automation_runs.automation = automations.position"
                " JOIN runs ON runs.automation_run = automation_runs.id"
                " WHERE runs.id = ?1 FOR NO KEY UPDATE OF automations",
                *name.begin());
            return lock_row(
                "SELECT 1 FROM sessions JOIN runs ON runs.session = sessions.position"
                " WHERE runs.id = ?1 FOR NO KEY UPDATE OF sessions",
                *name.begin());
        case Lock::event_log:
            query("SELECT 1 FROM event_heads WHERE owner = ?1 FOR NO KEY UPDATE")
                .bind(std::stoll(std::string(*name.begin())))
                .send();
            return;
    }
}

void PostgresConnection::notify_replicas(sql::Notice what, std::string_view subject)
{
    sql::Query insert = query(
        "WITH next AS (INSERT INTO counters (name, value) VALUES ('heard', 1)"
        " ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value)"
        " INSERT INTO heard (number, kind, subject) SELECT value, ?1, ?2 FROM next");
    insert.bind(name_of(what), subject).send();
}

std::int64_t PostgresConnection::next_activity()
{
    sql::Query next = query("SELECT nextval('activity')");
    next.next();
    return next.only<std::int64_t>();
}

void PostgresConnection::bind_activity(sql::Statement& statement, int parameter)
{
    static_cast<PostgresStatement&>(statement).bind_activity(parameter);
}

}  // namespace parley::store::postgres
