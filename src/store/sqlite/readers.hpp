// A few threads that read in parallel to the writer, each with its own connection: every read sees
// the last commit before it began.
#pragma once

#include "store/sql/jobs.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/options.hpp"

#include <thread>
#include <vector>

namespace parley::store::sqlite {

class Readers {
public:
    // The name is that of the threads. Throws Failure.
    explicit Readers(const Options& options, const char* name = "store-reader");

    // Answers the waiting jobs first.
    ~Readers();
    Readers(const Readers&) = delete;
    Readers& operator=(const Readers&) = delete;

    // Each is done in one read transaction: all its queries see the same moment.
    sql::JobQueue& jobs() { return queue_; }

    std::size_t waiting() const { return queue_.size(); }

private:
    void work(Database& database);

    sql::JobQueue queue_;
    std::vector<Database> databases_;
    std::vector<std::thread> threads_;
};

}  // namespace parley::store::sqlite
