#include "store/postgres/postgres_store.hpp"

#include "base/log.hpp"
#include "store/postgres/index_builds.hpp"
#include "store/postgres/schema.hpp"
#include "store/postgres/workers.hpp"
#include "store/sql/driver.hpp"

#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <pthread.h>
#include <thread>

namespace parley::store {
namespace {

using postgres::Health;
using postgres::Workers;

// After this long the server says that it is not ready.
constexpr std::chrono::seconds long_absence{4};
// While another server updates the schema, and again for updating it.
constexpr std::chrono::seconds patience_at_start{60};
constexpr std::chrono::seconds patience_to_connect{10};

class PostgresDriver final : public sql::Driver {
public:
    PostgresDriver(const postgres::Options& options, const std::string& name, MakeBackup back_up,
                   std::vector<std::string> indexes)
        : options_(options),
          back_up_(std::move(back_up)),
          health_(options, name),
          writers_(Workers::Mode::write, writers_of(options), options, health_, signal_),
          readers_(Workers::Mode::read, readers_of(options), options, health_, signal_),
          long_reader_(Workers::Mode::read, 1, options, health_, signal_),
          searcher_(Workers::Mode::read, 1, options, health_, signal_)
    {
        if (indexes.empty()) return;
        indexing_ = std::thread(
            [this, indexes = std::move(indexes)]() mutable { build(std::move(indexes)); });
        ::pthread_setname_np(indexing_.native_handle(), "store-indexes");
    }
    ~PostgresDriver() override
    {
        for (Workers* each : {&writers_, &readers_, &long_reader_, &searcher_}) each->end_soon();
        stopping_ = true;  // A backup that is being made ends soon.
        backups_.join();
        if (indexing_.joinable()) indexing_.join();
    }

    sql::JobQueue& writes() override { return writers_.jobs(); }
    sql::JobQueue& reads() override { return readers_.jobs(); }
    sql::JobQueue& long_reads() override { return long_reader_.jobs(); }
    sql::JobQueue& searches() override { return searcher_.jobs(); }
    EventSignal& events_signal() override { return signal_; }

    // On a thread of its own, with a connection of its own: it takes long.
    Task<Result<std::uint64_t>> back_up(std::filesystem::path file) override
    {
        if (!back_up_)
            co_return Error{Errc::not_implemented, "This database cannot be backed up here."};
        co_return co_await offload(backups_, [this, file = std::move(file)] {
            return back_up_(options_, file, stopping_);
        });
    }

    Result<> can_write() const override
    {
        if (health_.refuses_changes_for() < long_absence) return {};
        return Error{Errc::storage_unavailable, "The server's database does not answer."};
    }
    void end_soon() override { health_.end_soon(); }

    Figures figures() const override
    {
        return {.writes_waiting = writers_.waiting(),
                .reads_waiting = readers_.waiting(),
                .bytes = health_.database_bytes()};
    }

private:
    void build(std::vector<std::string> indexes)
    try {
        postgres::Link link(options_, [this] { return stopping_.load(); });
        postgres::build_indexes(link, indexes);
    } catch (const postgres::Failure& failure) {
        if (!stopping_)
            log::warn("cannot create an index of the database; the next start tries again",
                      log::kv("reason", failure.what()));
    }

    // A write waits for the disk, a read only for the network: one in four reads.
    static std::size_t readers_of(const postgres::Options& options)
    {
        return std::max<std::size_t>(options.connections / 4, 1);
    }
    static std::size_t writers_of(const postgres::Options& options)
    {
        return std::max<std::size_t>(options.connections - readers_of(options), 1);
    }

    const postgres::Options options_;
    const MakeBackup back_up_;
    EventSignal signal_;
    Health health_;
    Workers writers_;
    Workers readers_;
    Workers long_reader_;  // These connect when they are used.
    Workers searcher_;
    std::atomic<bool> stopping_ = false;
    boost::asio::thread_pool backups_{1};
    std::thread indexing_;
};

Error cannot_be_used(const std::string& name, const postgres::Failure& failure)
{
    return {Errc::storage_unavailable,
            "The PostgreSQL database " + name + " cannot be used: " + failure.what() + "."};
}

// The connection of a server that was killed may last a moment longer.
Result<> refuse_earlier_server(postgres::Link& link, const std::string& name)
{
    constexpr int tries = 20;
    for (int tried = 0; tried < tries; ++tried) {
        if (take_server_lock(link)) {
            release_server_lock(link);
            return {};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return Error{Errc::storage_unavailable,
                 "A Parley server of an earlier version uses the PostgreSQL database " + name +
                     "; stop it first. Only servers of this version share a database."};
}

// Gives the indexes that are to be created while the store is used.
Result<std::vector<std::string>> prepare(const postgres::Options& options, const std::string& name)
{
    using Steady = std::chrono::steady_clock;
    using Indexes = std::vector<std::string>;
    auto deadline = Steady::now() + patience_to_connect;
    try {
        postgres::Link link(options, [&deadline] { return Steady::now() > deadline; });
        const auto begin_anew = [&deadline] { deadline = Steady::now() + patience_at_start; };
        begin_anew();
        if (!options.may_migrate) {
            auto fits = require_schema(link);
            return fits ? Result<Indexes>(Indexes()) : fits.error();
        }
        if (options.is_server)
            if (auto fits = refuse_earlier_server(link, name); !fits) return fits.error();
        if (auto migrated = migrate(link, begin_anew); !migrated) return migrated.error();
        return indexes_to_build(link);
    } catch (const postgres::Failure& failure) {
        return cannot_be_used(name, failure);
    }
}

}  // namespace

Result<std::unique_ptr<Store>> open_postgres_store(const postgres::Options& options,
                                                   MakeBackup back_up)
{
    const auto name = postgres::name_of_database(options.url);
    if (!name)
        return Error{name.error().code, "store.url: " + name.error().message, name.error().detail};
    auto prepared = prepare(options, *name);
    if (!prepared) return prepared.error();
    log::info("database opened", log::kv("database", *name));
    return sql::make_store(
        std::make_unique<PostgresDriver>(options, *name, std::move(back_up), std::move(*prepared)));
}

}  // namespace parley::store
