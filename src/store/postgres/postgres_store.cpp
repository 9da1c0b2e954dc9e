#include "store/postgres/postgres_store.hpp"

#include "base/log.hpp"
#include "store/postgres/schema.hpp"
#include "store/postgres/workers.hpp"
#include "store/sql/driver.hpp"

#include <algorithm>
#include <thread>

namespace parley::store {
namespace {

using postgres::Health;
using postgres::Workers;

// After this long the server says that it is not ready.
constexpr std::chrono::seconds long_absence{4};
// To connect, and to wait while another server updates the schema.
constexpr std::chrono::seconds patience_at_start{60};
constexpr std::chrono::seconds patience_to_connect{10};

class PostgresDriver final : public sql::Driver {
public:
    PostgresDriver(const postgres::Options& options, const std::string& name)
        : health_(options, name),
          writers_(Workers::Mode::write, writers_of(options), options, health_, signal_),
          readers_(Workers::Mode::read, readers_of(options), options, health_, signal_)
    {
    }

    sql::JobQueue& writes() override { return writers_.jobs(); }
    sql::JobQueue& reads() override { return readers_.jobs(); }
    EventSignal& events_signal() override { return signal_; }

    Task<Result<std::uint64_t>> back_up(std::filesystem::path /*file*/) override
    {
        co_return Error{Errc::not_implemented,
                        "A PostgreSQL database is backed up with its own tools: pg_dump."};
    }

    Result<> can_write() const override
    {
        if (health_.away_for() < long_absence) return {};
        return Error{Errc::storage_unavailable, "The server's database does not answer."};
    }

    Figures figures() const override
    {
        return {.writes_waiting = writers_.waiting(),
                .reads_waiting = readers_.waiting(),
                .bytes = health_.database_bytes()};
    }

private:
    // A write waits for the disk, a read only for the network: one in four reads.
    static std::size_t readers_of(const postgres::Options& options)
    {
        return std::max<std::size_t>(options.connections / 4, 1);
    }
    static std::size_t writers_of(const postgres::Options& options)
    {
        return std::max<std::size_t>(options.connections - readers_of(options), 1);
    }

    EventSignal signal_;
    Health health_;
    Workers writers_;
    Workers readers_;
};

Error cannot_be_used(const std::string& name, const postgres::Failure& failure)
{
    return {Errc::storage_unavailable,
            "The PostgreSQL database " + name + " cannot be used: " + failure.what() + "."};
}

// The connection of a server that was killed may last a moment longer.
Result<> refuse_second_server(postgres::Link& link, const std::string& name)
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
                 "Another Parley server uses the PostgreSQL database " + name +
                     "; stop it first. Several servers on one database are not supported yet."};
}

Result<> prepare(const postgres::Options& options, const std::string& name)
{
    using Steady = std::chrono::steady_clock;
    auto deadline = Steady::now() + patience_to_connect;
    try {
        postgres::Link link(options, [&deadline] { return Steady::now() > deadline; });
        deadline = Steady::now() + patience_at_start;
        if (!options.may_migrate) return require_schema(link);
        if (options.is_only_server)
            if (auto alone = refuse_second_server(link, name); !alone) return alone;
        return migrate(link);
    } catch (const postgres::Failure& failure) {
        return cannot_be_used(name, failure);
    }
}

}  // namespace

Result<std::unique_ptr<Store>> open_postgres_store(const postgres::Options& options)
{
    const auto name = postgres::name_of_database(options.url);
    if (!name)
        return Error{name.error().code, "store.url: " + name.error().message, name.error().detail};
    if (auto prepared = prepare(options, *name); !prepared) return prepared.error();
    log::info("database opened", log::kv("database", *name));
    return sql::make_store(std::make_unique<PostgresDriver>(options, *name));
}

}  // namespace parley::store
