// One connection to a database, and the queries that run on it.
//
//   Query insert = connection.query("INSERT INTO audit (id, at_ms) VALUES (?1, ?2)");
//   insert.bind(event.id, event.at).run();
//
// Statements are written in the SQL that SQLite and PostgreSQL share. A driver adapts a statement
// when it prepares it:
// - Parameters are ?1, ?2, …
// - INDEXED BY names the index without which a query would read too much, and CROSS JOIN … ON says
//   in which order tables are read: both are advice.
// - instr(text, part) is one more function that the schema may have to bring. Uniqueness of a name
// or id is checked with ON CONFLICT DO NOTHING: a failed statement would end the transaction in
// other databases.
//
// Failures are thrown (failure.hpp). Threads: a connection belongs to one thread at a time.
#pragma once

#include "domain/chat.hpp"
#include "store/sql/search_dialect.hpp"
#include "store/sql/statement.hpp"

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::store::sql {

// False for a temporary that owns its bytes.
template <class Value>
inline constexpr bool may_be_bound =
    std::is_lvalue_reference_v<Value> ||
    !(std::is_same_v<std::remove_cv_t<Value>, std::string> ||
      std::is_same_v<std::remove_cv_t<Value>, std::optional<std::string>>);

class Connection;

// A prepared statement in use. The destructor makes it ready for its next use.
class Query {
public:
    explicit Query(Statement& statement) : statement_(&statement) {}
    ~Query()
    {
        if (statement_) statement_->reset();
    }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    Query(Query&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
    Query& operator=(Query&&) = delete;

    // Sets ?1, ?2, … A text or hash is not copied and must live until the query has run: a
    // temporary one does not compile. An optional that holds nothing is NULL.
    template <class... Values>
    Query& bind(Values&&... values)
    {
        static_assert((may_be_bound<Values> && ...),
                      "give it a name, so that it lives long enough");
        int parameter = 0;
        (bind_at(++parameter, values), ...);
        return *this;
    }

    // Sets a parameter to the next number of activity.
    Query& bind_activity(int parameter, Connection& connection);

    // Goes to the next row; false if there is none.
    bool next() { return statement_->next(); }

    // Before other queries that have to be waited for: so this one costs no round trip. It runs
    // now, or in next(), so its result must be the same before and after them. Any of them may
    // throw its failure. The bound values must live until next().
    void ask() { statement_->ask(); }

    // Runs a statement without result rows. Returns the number of changed rows.
    std::size_t run()
    {
        statement_->next();
        return statement_->changed();
    }

    // The same if the number does not matter. A later query or the commit may throw its failure, so
    // that it costs no round trip.
    void send() { statement_->send(); }

    // Runs INSERT … ON CONFLICT DO NOTHING: returns the number of the new row, or nothing if such a
    // row already exists.
    std::optional<std::int64_t> insert() { return statement_->insert(); }

    // The texts of all rows that follow, if they have one column.
    std::vector<std::string> texts()
    {
        std::vector<std::string> texts;
        while (next()) texts.push_back(only<std::string>());
        return texts;
    }

    // The columns of the row.
    template <class Columns>
    const Columns& columns() const
    {
        return statement_->columns<Columns>();
    }
    template <class T>
    T operator[](Column<T> column) const
    {
        return read_column<T>(*statement_, column.number());
    }
    // The same if the rows have one column.
    template <class T>
    T only() const
    {
        return read_column<T>(*statement_, 0);
    }

private:
    void bind_at(int parameter, std::int64_t value) { statement_->bind(parameter, value); }
    void bind_at(int parameter, std::string_view text) { statement_->bind(parameter, text); }
    void bind_at(int parameter, Blob blob) { statement_->bind(parameter, blob); }
    void bind_at(int parameter, TimePoint time) { statement_->bind(parameter, to_ms(time)); }
    template <std::size_t Size>
    void bind_at(int parameter, const std::array<unsigned char, Size>& hash)
    {
        statement_->bind(parameter, Blob{{reinterpret_cast<const char*>(hash.data()), Size}});
    }
    template <class T>
    void bind_at(int parameter, const std::optional<T>& value)
    {
        constexpr bool is_integer = std::is_arithmetic_v<T> || std::is_same_v<T, TimePoint>;
        if (value)
            bind_at(parameter, *value);
        else
            statement_->bind_null(parameter, is_integer ? Type::integer : Type::bytes);
    }

    Statement* statement_;  // Null after a move.
};

// Decisions that two transactions must not make at the same time. Listed in the order of locking.
// The numbers stay as they are: servers of two versions may share a database.
enum class Lock {
    replica = 0,                 // By its incarnation: it cannot be fenced meanwhile.
    claims = 1,                  // Taking over runs whose server is gone.
    key = 2,                     // Idempotency key: a user's id and the key.
    operators = 3,               // Whether there is still an operator.
    test_clock = 4,              // By the id of its user.
    user = 5,                    // By its id.
    budget = 19,                 // By the id of its user.
    automation = 6,              // By its id.
    automation_of_row = 7,       // By the id of a row of its ledger.
    automations_of_session = 8,  // The automations of which rows have this session, by its id.
    starts = 20,                 // Starts of a user's automations in a minute, by its id.
    webhook = 9,                 // By its id.
    token = 10,                  // By its id.
    shown_token = 11,            // By its hash.
    session = 12,                // By its id.
    session_of_run = 13,         // By the id of the run; also the automation that the run is for.
    images = 18,                 // The images of a user, by its id: which of them are in use.
    sweep = 14,                  // Deletion of expired events of runs.
    search_index = 15,           // Changes of the index of words.
    turns = 17,                  // The turns of waiting runs, by the name of their line.
    event_log = 16,              // By the number of its owner.
};

// Changes that all servers of a database must hear of (cluster/cluster.hpp).
enum class Notice {
    rights,   // Have changed: a user's, by its id; empty: those of a token without a user.
    session,  // Was deleted: the ids of its user and its own, with a slash between them.
    runs,     // Were deleted: the same ids, and those of the runs that were active, with slashes.
    user,     // Was deleted, by its id.
};

class Connection {
public:
    Connection() = default;
    virtual ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    Connection(Connection&&) = default;
    Connection& operator=(Connection&&) = default;

    // The statement is prepared once and kept: `sql` must be a literal.
    Query query(const char* sql) { return Query(prepared(sql)); }

    // Waits until no other transaction holds this lock, and holds it until the end of this one. The
    // protected data must be read by a later query. No effect in a database with one writer.
    virtual void lock(Lock what, std::initializer_list<std::string_view> name) = 0;

    // Higher than all before; sessions are listed by it.
    virtual std::int64_t next_activity() = 0;
    // A database may take the number while it runs the statement.
    virtual void bind_activity(Statement& statement, int parameter)
    {
        statement.bind(parameter, next_activity());
    }

    // Part of this transaction; takes a lock that all such transactions share, so it comes last. No
    // effect in a database with one server.
    virtual void notify_replicas(Notice /*what*/, std::string_view /*subject*/) {}

    // Whether several servers use the database, which then has the tables for it.
    virtual bool is_shared() const { return false; }

    virtual const SearchDialect& search_dialect() const = 0;

    // Records the owners whose event logs this transaction extends; after the commit the driver
    // wakes their followers.
    void note_grown_log(const Owner& owner) { grown_logs_.insert(owner); }
    std::set<Owner> take_grown_logs() { return std::exchange(grown_logs_, {}); }

protected:
    virtual Statement& prepared(const char* sql) = 0;

private:
    std::set<Owner> grown_logs_;
};

inline Query& Query::bind_activity(int parameter, Connection& connection)
{
    connection.bind_activity(*statement_, parameter);
    return *this;
}

}  // namespace parley::store::sql
