// One connection to a database, as the use cases see it, and the queries that run on it.
//
//   Query insert = connection.query("INSERT INTO audit (id, at_ms) VALUES (?1, ?2)");
//   insert.bind(event.id, event.at).run();
//
// Texts are written in the SQL that SQLite and PostgreSQL share. A driver that needs other words
// puts them in when it prepares a text:
// - Parameters are ?1, ?2, …
// - INDEXED BY names the index without which a query would read too much, and CROSS JOIN … ON says
//   in which order tables are read: both are advice.
// - instr(text, part) is one more function that the schema may have to bring.
// A rule that only one row may have a name or id is asked about with ON CONFLICT DO NOTHING: a
// statement that fails would end the transaction in other databases.
//
// Failures are thrown (failure.hpp). Threads: a connection belongs to one thread at a time.
#pragma once

#include "domain/chat.hpp"
#include "store/sql/statement.hpp"

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace parley::store::sql {

// False for a temporary that owns its bytes.
template <class Value>
inline constexpr bool may_be_bound =
    std::is_lvalue_reference_v<Value> ||
    !(std::is_same_v<std::remove_cv_t<Value>, std::string> ||
      std::is_same_v<std::remove_cv_t<Value>, std::optional<std::string>>);

// A prepared statement in use. Going out of scope, it is ready for its next use.
class Query {
public:
    explicit Query(Statement& statement) : statement_(statement) {}
    ~Query() { statement_.reset(); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

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

    // Goes to the next row; false if there is none.
    bool next() { return statement_.next(); }

    // Runs a statement that gives no rows. Gives how many it changed.
    std::size_t run()
    {
        statement_.next();
        return statement_.changed();
    }

    // Runs INSERT … ON CONFLICT DO NOTHING: the number that the new row got, or nothing if such a
    // row is there already.
    std::optional<std::int64_t> insert() { return statement_.insert(); }

    // What is in the row.
    template <class Columns>
    const Columns& columns() const
    {
        return statement_.columns<Columns>();
    }
    template <class T>
    T operator[](Column<T> column) const
    {
        return read_column<T>(statement_, column.number());
    }
    // The same if the rows have one column.
    template <class T>
    T only() const
    {
        return read_column<T>(statement_, 0);
    }

private:
    void bind_at(int parameter, std::int64_t value) { statement_.bind(parameter, value); }
    void bind_at(int parameter, std::string_view text) { statement_.bind(parameter, text); }
    void bind_at(int parameter, Blob blob) { statement_.bind(parameter, blob); }
    void bind_at(int parameter, TimePoint time) { statement_.bind(parameter, to_ms(time)); }
    template <std::size_t Size>
    void bind_at(int parameter, const std::array<unsigned char, Size>& hash)
    {
        statement_.bind(parameter, Blob{{reinterpret_cast<const char*>(hash.data()), Size}});
    }
    template <class T>
    void bind_at(int parameter, const std::optional<T>& value)
    {
        if (value) bind_at(parameter, *value);
    }

    Statement& statement_;
};

// What two transactions must not decide about at the same time. Listed in the order in which they
// are to be locked.
enum class Lock {
    key,             // Of a request: a user's id and the key.
    operators,       // Whether there is still one.
    user,            // By its id.
    token,           // By its id.
    shown_token,     // By its hash.
    session,         // By its id.
    session_of_run,  // By the id of the run.
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

    // Waits until no other transaction holds this lock, and holds it until the end of this one.
    // What it protects must be read by a later query. Nothing in a database with one writer.
    virtual void lock(Lock what, std::initializer_list<std::string_view> name) = 0;

    // Higher than all before; sessions are listed by it.
    virtual std::int64_t next_activity() = 0;

    // Whose event logs this transaction adds to; for the driver, which tells their followers once
    // it is committed.
    void note_grown_log(const Owner& owner) { grown_logs_.insert(owner); }
    std::set<Owner> take_grown_logs() { return std::exchange(grown_logs_, {}); }

protected:
    virtual Statement& prepared(const char* sql) = 0;

private:
    std::set<Owner> grown_logs_;
};

}  // namespace parley::store::sql
