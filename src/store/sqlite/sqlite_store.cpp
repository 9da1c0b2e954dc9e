#include "store/sqlite/sqlite_store.hpp"

#include "store/sql/driver.hpp"
#include "store/sqlite/backup.hpp"
#include "store/sqlite/opening.hpp"
#include "store/sqlite/readers.hpp"
#include "store/sqlite/writer.hpp"

#include <boost/asio/thread_pool.hpp>

namespace parley::store {
namespace {

using sqlite::Database;

std::uint64_t size_of(const std::filesystem::path& file)
{
    std::error_code missing;
    const auto size = std::filesystem::file_size(file, missing);
    return missing ? 0 : size;
}

sqlite::Options with_one_reader(sqlite::Options options)
{
    options.readers = 1;
    return options;
}

class SqliteDriver final : public sql::Driver {
public:
    SqliteDriver(Database database, const sqlite::Options& options)
        : options_(options),
          writer_(std::move(database), options, signal_),
          readers_(options),
          long_reader_(with_one_reader(options), "long-reader"),
          searcher_(with_one_reader(options), "store-searcher")
    {
    }
    ~SqliteDriver() override
    {
        stopping_ = true;  // A backup that is being made ends at its next step.
        backups_.join();
    }

    sql::JobQueue& writes() override { return writer_.jobs(); }
    sql::JobQueue& reads() override { return readers_.jobs(); }
    sql::JobQueue& long_reads() override { return long_reader_.jobs(); }
    sql::JobQueue& searches() override { return searcher_.jobs(); }
    EventSignal& events_signal() override { return signal_; }

    // On a thread of its own: it takes long, and the readers must not wait for it.
    Task<Result<std::uint64_t>> back_up(std::filesystem::path file) override
    {
        co_return co_await offload(backups_, [this, file = std::move(file)] { return copy(file); });
    }

    Result<> can_write() const override
    {
        if (!writer_.has_given_up()) return {};
        return Error{Errc::storage_unavailable, "The server has stopped writing to its disk."};
    }

    Figures figures() const override
    {
        std::filesystem::path log = options_.file;
        log += "-wal";
        return {.writes_waiting = writer_.waiting(),
                .reads_waiting = readers_.waiting(),
                .bytes = size_of(options_.file),
                .log_bytes = size_of(log)};
    }

private:
    Result<std::uint64_t> copy(const std::filesystem::path& file)
    {
        try {
            Database source(options_.file, Database::Access::read, options_.vfs);
            // One read transaction around all steps: the copy is of one moment, and writes that are
            // made meanwhile cannot make it begin again.
            source.execute("BEGIN");
            source.integer("SELECT count(*) FROM sqlite_schema");
            return sqlite::copy_database(source, file, stopping_);
        } catch (const sqlite::Failure& failure) {
            return to_error(failure);
        }
    }

    const sqlite::Options options_;
    EventSignal signal_;
    sqlite::Writer writer_;
    // These end before the writer, which can then empty the log.
    sqlite::Readers readers_;
    sqlite::Readers long_reader_;
    sqlite::Readers searcher_;
    std::atomic<bool> stopping_ = false;
    boost::asio::thread_pool backups_{1};
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const sqlite::Options& options)
{
    auto database = sqlite::open_for_writing(options);
    if (!database) return database.error();
    try {
        return sql::make_store(std::make_unique<SqliteDriver>(std::move(*database), options));
    } catch (const sqlite::Failure& failure) {
        return to_error(failure);
    }
}

}  // namespace parley::store
