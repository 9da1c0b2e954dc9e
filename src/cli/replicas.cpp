#include "cluster/postgres/replicas.hpp"

#include "app/store_settings.hpp"
#include "base/escape_control.hpp"
#include "cli/output.hpp"
#include "cli/settings_options.hpp"

#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>

namespace parley::cli {
namespace {

using cluster::postgres::Replica;

Result<std::vector<Replica>> read(const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    if (settings->postgres.url.empty())
        return Error{
            Errc::invalid_request,
            "store.url is not set: a server with SQLite shares its data with no other server."};
    const auto options = app::postgres_options(*settings);
    if (!options) return options.error();
    return cluster::postgres::list_replicas(*options);
}

const char* state_of(const Replica& replica)
{
    if (replica.fenced) return "gone";
    return replica.draining ? "draining" : "serving";
}

void print(const Replica& replica)
{
    std::cout << std::left << std::setw(12) << replica.incarnation << std::setw(10)
              << state_of(replica) << std::setw(8) << replica.running << std::setw(12)
              << (std::to_string(replica.beat_age.count()) + " ms") << std::setw(12)
              << escape_control(replica.version) << escape_control(replica.name) << '\n';
}

void print_json(const Replica& replica)
{
    print_line({{"name", replica.name},
                {"incarnation", replica.incarnation},
                {"version", replica.version},
                {"beat_age_ms", replica.beat_age.count()},
                {"running", replica.running},
                {"draining", replica.draining},
                {"fenced", replica.fenced}});
}

}  // namespace

Run describe_replicas(CLI::App& command, const Common& common)
{
    command.footer(
        "Reads the database that store.url names. Servers that are gone are listed for an hour.\n"
        "Examples:\n"
        "  parley replicas --set store.url=postgresql://parley@db.example.org/parley\n"
        "  parley replicas --config /etc/parley/parley.toml --json");
    return [&common] {
        const auto replicas = read(common);
        if (!replicas) return complain(replicas.error().message, failed, common);
        if (!common.json)
            std::cout << "INCARNATION STATE     RUNS    HEARTBEAT   VERSION     NAME\n";
        for (const Replica& each : *replicas) common.json ? print_json(each) : print(each);
        return succeeded;
    };
}

}  // namespace parley::cli
