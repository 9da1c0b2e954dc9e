// A connection on which the use cases of store/sql run, and its prepared statements.
//
// Threads: belongs to one thread at a time.
#pragma once

#include "store/postgres/link.hpp"
#include "store/postgres/search_dialect.hpp"
#include "store/sql/connection.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::store::postgres {

class PostgresConnection;

// Names a transaction. Its row in commit_marks is written by the transaction itself.
struct CommitMark {
    std::string connection = {};
    std::int64_t number = 0;
};

class PostgresStatement final : public sql::Statement {
public:
    PostgresStatement(PostgresConnection& connection, const char* sql);

    void bind(int parameter, std::int64_t value) override;
    void bind(int parameter, std::string_view text) override;
    void bind(int parameter, sql::Blob blob) override;
    void bind_null(int parameter, sql::Type type) override;
    void bind_activity(int parameter);
    bool next() override;
    void send() override;
    void ask() override;
    std::size_t changed() const override;
    std::optional<std::int64_t> insert() override;
    void reset() override;
    bool is_null(int column) const override;
    std::int64_t integer(int column) const override;
    std::string_view bytes(int column) const override;
    int column(std::string_view name) const override;

private:
    struct Parameter {
        Oid type = 0;
        bool is_null = true;
        std::string_view bytes = {};
        std::string number = {};  // An integer in network order.
        bool is_activity = false;
    };

    // The statement itself, and the same with RETURNING for insert(). Each is prepared once.
    struct Variant {
        std::string name = {};
        bool is_prepared = false;
    };

    Parameter& parameter(int number);
    std::string text() const;
    void send(const Variant& variant, Link::Place wanted = nullptr);
    void execute(Variant& variant, const std::string& returning);
    void note_sent();
    void take_asked();

    PostgresConnection& connection_;
    const char* sql_;
    Variant plain_;
    Variant returning_;
    std::vector<Parameter> parameters_;
    Link::Place asked_;  // The place of the result after ask(), until next().
    ResultPtr result_;
    int row_ = -1;
};

class PostgresConnection final : public sql::Connection {
public:
    // Throws Failure if the server cannot be reached.
    PostgresConnection(const Options& options, Link::GiveUp give_up);

    // All queries of a read see one moment. A write reads what was committed before each query; its
    // decisions are protected by lock().
    enum class Mode { read, write };
    void begin(Mode mode);
    // Throws UnknownOutcome if the connection was lost when COMMIT had been sent, or if PostgreSQL
    // did not wait for its standby. A read does not wait for its end.
    void commit();
    void roll_back();

    // Whether a transaction of a lost connection was committed, and survives. If not, it never will
    // be committed: this takes the primary key of its mark. Waits for a transaction that is still
    // being committed.
    bool was_committed(const CommitMark& mark);

    void lock(sql::Lock what, std::initializer_list<std::string_view> name) override;
    std::int64_t next_activity() override;
    void bind_activity(sql::Statement& statement, int parameter) override;
    void notify_replicas(sql::Notice what, std::string_view subject) override;
    bool is_shared() const override { return true; }
    const sql::SearchDialect& search_dialect() const override { return search_dialect_; }

    Link& link() { return link_; }
    // The transaction that commit() was called for last.
    const CommitMark& mark() const { return mark_; }

private:
    friend class PostgresStatement;

    sql::Statement& prepared(const char* sql) override;
    std::string new_statement_name();
    std::string row_number_of(std::string_view table);
    void lock_number(sql::Lock what, std::initializer_list<std::string_view> name);
    void lock_row(const char* sql, std::string_view name);
    void note_change() { has_changed_ = true; }
    void send_mark();
    void end_changes();

    PostgresSearchDialect search_dialect_;
    Link link_;
    Mode mode_ = Mode::write;  // The mode of the current transaction.
    CommitMark mark_;
    bool is_mark_prepared_ = false;
    bool has_changed_ = false;  // In this transaction.
    std::size_t names_ = 0;
    std::unordered_map<const char*, std::unique_ptr<PostgresStatement>> kept_;
};

}  // namespace parley::store::postgres
