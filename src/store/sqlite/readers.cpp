#include "store/sqlite/readers.hpp"

#include <algorithm>
#include <pthread.h>
#include <thread>

namespace parley::store::sqlite {
namespace {

// By default: more threads than that wait for the same disk.
constexpr std::size_t most_threads_by_default = 4;

std::size_t thread_count(const Options& options)
{
    if (options.readers > 0) return options.readers;
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads_by_default);
}

void run_in_transaction(sql::Job& job, Database& database)
{
    try {
        database.query("BEGIN").run();
        job.run(database);
        database.query("COMMIT").run();
    } catch (const sql::Failure& failure) {
        if (sqlite3_get_autocommit(database.handle()) == 0)
            sqlite3_exec(database.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
        job.fail(to_error(failure));
    }
}

}  // namespace

Readers::Readers(const Options& options, const char* name) : queue_(options.most_waiting)
{
    const std::size_t count = thread_count(options);
    for (std::size_t i = 0; i < count; ++i)
        databases_.emplace_back(options.file, Database::Access::read, options.vfs);
    for (Database& database : databases_) {
        threads_.emplace_back([this, &database] { work(database); });
        ::pthread_setname_np(threads_.back().native_handle(), name);
    }
}

Readers::~Readers()
{
    queue_.close();
    for (std::thread& thread : threads_) thread.join();
}

void Readers::work(Database& database)
{
    for (;;) {
        const auto taken = queue_.take(1);
        if (taken.empty()) return;
        run_in_transaction(*taken.front(), database);
        taken.front()->answer();
    }
}

}  // namespace parley::store::sqlite
