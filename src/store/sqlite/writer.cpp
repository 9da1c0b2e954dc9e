#include "store/sqlite/writer.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <pthread.h>

namespace parley::store::sqlite {
namespace {

// Jobs of one transaction: enough that the sync no longer counts, few enough that the first of them
// does not wait long for the last.
constexpr std::size_t most_in_a_commit = 1024;

// Pages of 4 KiB. A step this small takes a few milliseconds; under a load that never pauses the
// log grows up to the second figure before somebody has to wait.
constexpr int pages_of_a_step = 256;
constexpr int pages_that_cannot_wait = 8192;

using Instant = std::chrono::steady_clock;

// The failure lies in the job and not in the database: the others can go on.
bool is_fault_of_the_job(const sql::Failure& failure)
{
    return failure.kind() == sql::Failure::Kind::query;
}

Error query_failed(const sql::Failure& failure)
{
    return {Errc::internal, "a query of the store failed", failure.what()};
}

}  // namespace

Writer::Writer(Database database, const Options& options, EventSignal& signal)
    : database_(std::move(database)),
      options_(options),
      signal_(signal),
      queue_(options.most_waiting)
{
    sqlite3_wal_hook(
        database_.handle(),
        [](void* self, sqlite3*, const char*, int pages) {
            static_cast<Writer*>(self)->log_pages_ = pages;
            return SQLITE_OK;
        },
        this);
    thread_ = std::thread([this] { work(); });
    ::pthread_setname_np(thread_.native_handle(), "store-writer");
}

Writer::~Writer()
{
    queue_.close();
    thread_.join();
}

void Writer::work()
{
    for (;;) {
        const bool idle = queue_.size() == 0;
        if (checkpoint_is_due(idle ? pages_of_a_step : pages_that_cannot_wait))
            checkpoint(SQLITE_CHECKPOINT_PASSIVE);
        Batch batch = queue_.take(most_in_a_commit);
        if (batch.empty()) break;
        commit(batch);
        for (auto& job : batch) job->answer();
        // Also if the commit failed: a follower that is woken for nothing finds nothing new.
        if (const auto grown = database_.take_grown_logs(); !grown.empty()) signal_.grew(grown);
    }
    // No jobs are left: the log can be emptied, and the next start finds one file.
    if (!given_up_) checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
}

void Writer::commit(Batch& batch)
{
    const auto begun = Instant::now();
    if (given_up_) {
        const Error error{Errc::storage_unavailable, "The server has stopped writing to its disk."};
        for (auto& job : batch) job->fail(error);
        return;
    }
    try {
        database_.query("BEGIN IMMEDIATE").run();
        if (!run_all(batch)) {
            database_.query("ROLLBACK").run();
            database_.query("BEGIN IMMEDIATE").run();
            run_each_alone(batch);
        }
        database_.query("COMMIT").run();
    } catch (const sql::Failure& failure) {
        roll_back();
        fail_all(batch, failure);
        return;
    }
    if (failing_) log::info("database writable again");
    failing_ = false;
    if (options_.on_commit) options_.on_commit(batch.size(), Instant::now() - begun);
}

// False where one of them must be undone that has changed something: then all are.
bool Writer::run_all(Batch& batch)
{
    return std::ranges::all_of(batch, [this](const auto& job) { return run_bare(*job); });
}

bool Writer::run_bare(sql::Job& job)
{
    const auto before = sqlite3_total_changes64(database_.handle());
    try {
        if (job.run(database_)) return true;
    } catch (const sql::Failure& failure) {
        if (!is_fault_of_the_job(failure)) throw;
        job.fail(query_failed(failure));
    }
    return sqlite3_total_changes64(database_.handle()) == before;
}

void Writer::run_each_alone(Batch& batch)
{
    for (auto& job : batch) {
        try {
            run_alone(*job);
        } catch (const sql::Failure& failure) {
            if (!is_fault_of_the_job(failure)) throw;
            database_.query("ROLLBACK TO one").run();
            database_.query("RELEASE one").run();
            job->fail(query_failed(failure));
        }
    }
}

void Writer::run_alone(sql::Job& job)
{
    database_.query("SAVEPOINT one").run();
    if (!job.run(database_)) database_.query("ROLLBACK TO one").run();
    database_.query("RELEASE one").run();
}

void Writer::roll_back()
{
    // Some failures roll back by themselves; and what fails here is answered as failed anyway.
    if (sqlite3_get_autocommit(database_.handle()) == 0)
        sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Writer::fail_all(Batch& batch, const sql::Failure& failure)
{
    take_note_of(failure);
    // The words of SQLite were logged once; a thousand clients must not make a thousand lines.
    Error error = to_error(failure);
    error.detail.clear();
    for (auto& job : batch) job->fail(error);
}

void Writer::take_note_of(const sql::Failure& failure)
{
    using Kind = sql::Failure::Kind;
    if (failure.kind() == Kind::lost_sync || failure.kind() == Kind::damage) {
        given_up_ = true;
        log::error("the disk failed; nothing is written any more. Check the disk, then restart",
                   log::kv("file", options_.file.native()), log::kv("reason", failure.what()));
    } else if (!failing_) {
        log::error("cannot write to the database; retrying",
                   log::kv("file", options_.file.native()), log::kv("reason", failure.what()));
    }
    failing_ = true;
}

bool Writer::checkpoint_is_due(int pages) const
{
    // A log that is shorter than what was moved has begun again since.
    const int moved = moved_pages_ <= log_pages_ ? moved_pages_ : 0;
    return log_pages_ - moved >= pages && !given_up_;
}

void Writer::checkpoint(int mode)
{
    const auto begun = Instant::now();
    const int done = sqlite3_wal_checkpoint_v2(database_.handle(), nullptr, mode, nullptr, nullptr);
    // If a reader still needs old pages, or the disk is full, the next step tries again: only
    // after the log has grown by one more, so that this does not become a busy loop.
    moved_pages_ = log_pages_;
    if (done != SQLITE_OK && done != SQLITE_BUSY) {
        const Failure failure(sqlite3_extended_errcode(database_.handle()),
                              std::string("checkpoint: ") + sqlite3_errmsg(database_.handle()));
        take_note_of(failure);
    }
    if (options_.on_checkpoint) options_.on_checkpoint(Instant::now() - begun);
}

}  // namespace parley::store::sqlite
