// The minimum work to store questions and their answers with SQLite: the statements that a server
// runs for them, prepared, in a copy of its database, with a write-ahead log, every commit synced;
// without a server. Commits batches of the sizes on standard input, again and again, and prints the
// result as JSON.
//
//     durable_raw_questions FILE SECONDS FIRST STATEMENTS <sizes
//
// STATEMENTS is a file with a statement in each line: those of a question, a line `--`, those of
// its answer. Parameter 1 is the number of the question, from FIRST, 2 the time in milliseconds, 3
// a name of 26 characters. Half of a batch are questions, half are answers.
// bench/durable_questions.py builds and runs it.
#include <sqlite3.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

void check(int done, sqlite3* database)
{
    if (done == SQLITE_OK || done == SQLITE_DONE || done == SQLITE_ROW) return;
    std::fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
    std::exit(1);
}

class Statement {
public:
    Statement(sqlite3* database, const std::string& sql) : database_(database)
    {
        check(sqlite3_prepare_v3(database, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &handle_,
                                 nullptr),
              database);
        parameters_ = sqlite3_bind_parameter_count(handle_);
    }

    void run(sqlite3_int64 number, sqlite3_int64 now, const std::string& name)
    {
        if (parameters_ >= 1) check(sqlite3_bind_int64(handle_, 1, number), database_);
        if (parameters_ >= 2) check(sqlite3_bind_int64(handle_, 2, now), database_);
        if (parameters_ >= 3)
            check(sqlite3_bind_text(handle_, 3, name.data(), static_cast<int>(name.size()),
                                    SQLITE_STATIC),
                  database_);
        run();
    }
    void run()
    {
        check(sqlite3_step(handle_), database_);
        sqlite3_reset(handle_);
    }

private:
    sqlite3* database_;
    sqlite3_stmt* handle_ = nullptr;  // Until the process ends.
    int parameters_ = 0;
};

struct Statements {
    std::vector<Statement> question;
    std::vector<Statement> answer;
};

Statements read_statements(sqlite3* database, const char* file)
{
    Statements read;
    auto* into = &read.question;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line == "--")
            into = &read.answer;
        else
            into->emplace_back(database, line);
    }
    if (read.question.empty() || read.answer.empty()) std::exit(2);
    return read;
}

sqlite3_int64 now_ms()
{
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

// As long as the server's names, and ordered by time like them.
std::string name_of(sqlite3_int64 number)
{
    char name[64];
    std::snprintf(name, sizeof name, "%026lld", static_cast<long long>(number));
    return name;
}

}  // namespace

int main(int count, char** arguments)
{
    if (count != 5) return 2;
    const std::chrono::duration<double> seconds(std::atof(arguments[2]));
    const sqlite3_int64 first = std::atoll(arguments[3]);
    std::vector<int> sizes;
    for (int size = 0; std::cin >> size;) sizes.push_back(size);
    if (sizes.empty()) return 2;

    sqlite3* database = nullptr;
    check(sqlite3_open(arguments[1], &database), database);
    check(sqlite3_exec(database,
                       "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON",
                       nullptr, nullptr, nullptr),
          database);
    Statements statements = read_statements(database, arguments[4]);
    Statement begin(database, "BEGIN IMMEDIATE");
    Statement commit(database, "COMMIT");

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const std::clock_t processor = std::clock();
    long long changes = 0;
    std::size_t commits = 0;
    while (Clock::now() - start < seconds) {
        begin.run();
        for (int rest = sizes[commits++ % sizes.size()]; rest > 0; --rest, ++changes) {
            const sqlite3_int64 number = first + changes / 2;
            const std::string name = name_of(number);
            const sqlite3_int64 now = now_ms();
            for (Statement& each : changes % 2 == 0 ? statements.question : statements.answer)
                each.run(number, now, name);
        }
        commit.run();
    }
    const std::chrono::duration<double> took = Clock::now() - start;
    std::printf(R"({"questions": %lld, "next": %lld, "seconds": %.6f, "cpu": %.6f, "sqlite": "%s"})"
                "\n",
                changes / 2, static_cast<long long>(first) + changes / 2 + 1, took.count(),
                static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC,
                sqlite3_libversion());
    std::exit(0);
}
