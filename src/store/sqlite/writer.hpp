// The one thread that changes the database. All waiting jobs are done in one transaction and synced
// together (group commit): the more jobs wait, the less each costs, and there is no timer. Each job
// is atomic: a refused job does not affect the others.
//
// It also moves committed pages from the write-ahead log into the database file (checkpoints), in
// small steps while idle. SQLite before 3.51.3 can lose data if two connections do that, so no
// other connection may write or checkpoint.
//
// After a failed sync, or if the file turns out to be damaged, it never writes again: all changes
// fail with storage_unavailable until the store is reopened. With a full disk they fail in the same
// way, but each commit tries again, so that it recovers by itself.
#pragma once

#include "store/event_signal.hpp"
#include "store/sql/jobs.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/options.hpp"

#include <atomic>
#include <thread>

namespace parley::store::sqlite {

class Writer {
public:
    Writer(Database database, const Options& options, EventSignal& signal);

    // Commits the waiting jobs, then checkpoints everything.
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // Each is done in a transaction and answered when that would survive a power cut.
    sql::JobQueue& jobs() { return queue_; }

    bool has_given_up() const { return given_up_; }
    std::size_t waiting() const { return queue_.size(); }

private:
    using Batch = std::vector<std::unique_ptr<sql::Job>>;

    void work();
    void commit(Batch& batch);
    bool run_all(Batch& batch);
    bool run_bare(sql::Job& job);
    void run_each_alone(Batch& batch);
    void run_alone(sql::Job& job);
    void roll_back();
    void fail_all(Batch& batch, const sql::Failure& failure);
    void take_note_of(const sql::Failure& failure);
    bool checkpoint_is_due(int pages) const;
    void checkpoint(int mode);

    Database database_;
    const Options options_;
    EventSignal& signal_;
    sql::JobQueue queue_;
    std::atomic<bool> given_up_ = false;
    bool failing_ = false;  // The last commit failed; logged once, not every time.
    int log_pages_ = 0;     // In the write-ahead log after the last commit.
    int moved_pages_ = 0;   // In the log when the last checkpoint was made.
    std::thread thread_;    // Last: it uses all the others.
};

}  // namespace parley::store::sqlite
