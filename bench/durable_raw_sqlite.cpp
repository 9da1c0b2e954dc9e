// The minimum work to store audit events with SQLite: the same table and indexes, prepared
// statements, a write-ahead log, every commit synced; without a server. Commits batches of the
// sizes on standard input, again and again, and prints the result as JSON.
//
//     durable_raw_sqlite FILE SECONDS NOTE <sizes
//
// bench/durable_store.py and bench/durable_operations.py build and run it.
#include <sqlite3.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr const char* schema = R"sql(
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS audit (
        position   INTEGER PRIMARY KEY AUTOINCREMENT,
        id         TEXT NOT NULL UNIQUE,
        at_ms      INTEGER NOT NULL,
        actor      TEXT NOT NULL,
        action     TEXT NOT NULL,
        target     TEXT NOT NULL,
        address    TEXT NOT NULL,
        request_id TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS audit_by_actor ON audit (actor);
    CREATE INDEX IF NOT EXISTS audit_by_action ON audit (action);
    CREATE INDEX IF NOT EXISTS audit_by_target ON audit (target);
)sql";

constexpr const char* insertion =
    "INSERT INTO audit (id, at_ms, actor, action, target, address, request_id)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

void check(int done, sqlite3* database)
{
    if (done == SQLITE_OK || done == SQLITE_DONE || done == SQLITE_ROW) return;
    std::fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
    std::exit(1);
}

class Statement {
public:
    Statement(sqlite3* database, const char* sql) : database_(database)
    {
        check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr),
              database);
    }
    ~Statement() { sqlite3_finalize(handle_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    void text(int index, const std::string& value)
    {
        check(sqlite3_bind_text(handle_, index, value.data(), static_cast<int>(value.size()),
                                SQLITE_STATIC),
              database_);
    }
    void number(int index, sqlite3_int64 value)
    {
        check(sqlite3_bind_int64(handle_, index, value), database_);
    }
    void run()
    {
        check(sqlite3_step(handle_), database_);
        sqlite3_reset(handle_);
    }

private:
    sqlite3* database_;
    sqlite3_stmt* handle_ = nullptr;
};

sqlite3_int64 now_ms()
{
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

// As long as the server's names, and ordered by time like them.
std::string new_name(const char* prefix)
{
    static unsigned long long count = 0;
    char name[64];
    std::snprintf(name, sizeof name, "%s_%012llx%014llx", prefix,
                  static_cast<unsigned long long>(now_ms()), ++count);
    return name;
}

void insert_one(Statement& insert, const std::string& note)
{
    const std::string id = new_name("evt");
    const std::string request = new_name("req");
    static const std::string actor = "command line";
    static const std::string action = "note";
    static const std::string address = "127.0.0.1";
    insert.text(1, id);
    insert.number(2, now_ms());
    insert.text(3, actor);
    insert.text(4, action);
    insert.text(5, note);
    insert.text(6, address);
    insert.text(7, request);
    insert.run();
}

}  // namespace

int main(int count, char** arguments)
{
    if (count != 4) return 2;
    const std::chrono::duration<double> seconds(std::atof(arguments[2]));
    const std::string note = arguments[3];
    std::vector<int> sizes;
    for (int size = 0; std::cin >> size;) sizes.push_back(size);
    if (sizes.empty()) return 2;

    sqlite3* database = nullptr;
    check(sqlite3_open(arguments[1], &database), database);
    check(sqlite3_exec(database, schema, nullptr, nullptr, nullptr), database);
    Statement begin(database, "BEGIN IMMEDIATE");
    Statement commit(database, "COMMIT");
    Statement insert(database, insertion);

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const std::clock_t processor = std::clock();
    long long rows = 0;
    long long commits = 0;
    while (Clock::now() - start < seconds) {
        const int size = sizes[static_cast<std::size_t>(commits++) % sizes.size()];
        begin.run();
        for (int i = 0; i < size; ++i) insert_one(insert, note);
        commit.run();
        rows += size;
    }
    const std::chrono::duration<double> took = Clock::now() - start;
    std::printf(R"({"rows": %lld, "commits": %lld, "seconds": %.6f, "cpu": %.6f, "sqlite": "%s"})"
                "\n",
                rows, commits, took.count(),
                static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC,
                sqlite3_libversion());
    std::exit(0);
}
