#include "app/adapters.hpp"
#include "app/store_settings.hpp"
#include "cli/finding.hpp"
#include "cluster/postgres/replicas.hpp"
#include "store/postgres/examine.hpp"

#include <algorithm>
#include <cstdlib>

namespace parley::cli {
namespace {

using cluster::postgres::Replica;

// The clock of the database decides about limits and leases, that of each server about the rest.
constexpr std::chrono::seconds most_offset{2};

void add(Finding& found, std::string problem)
{
    found.verdict = Verdict::warn;
    found.finding += "; " + std::move(problem);
}

// The first setting in which another server differs.
std::optional<std::string> difference(const Replica& replica, const std::string& settings)
{
    if (replica.settings == settings) return std::nullopt;
    const auto [theirs, ours] = std::ranges::mismatch(replica.settings, settings);
    const std::size_t at = theirs - replica.settings.begin();
    const std::size_t line = replica.settings.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    return replica.name + " has " +
           replica.settings.substr(begin, replica.settings.find('\n', begin) - begin);
}

void compare(Finding& found, const std::vector<Replica>& living, const app::Settings& settings,
             const cluster::postgres::Room& room)
{
    const std::string own = app::shared_settings(settings);
    for (const Replica& each : living)
        if (const auto other = difference(each, own)) add(found, "other settings: " + *other);
    // One more may be started.
    const auto needed = static_cast<std::int64_t>(
        (std::max<std::size_t>(living.size(), 1) + 1) *
        (settings.postgres.connections + app::connections_beside_the_store));
    if (needed > room.connections)
        add(found, "PostgreSQL accepts " + std::to_string(room.connections) +
                       " connections, but these servers and one more need up to " +
                       std::to_string(needed));
    if (std::chrono::abs(room.clock_offset) > most_offset)
        add(found, "the clock of the database differs from this one by " +
                       std::to_string(room.clock_offset.count()) + " ms");
}

}  // namespace

Finding check_replicas(const app::Settings& settings)
{
    Finding found{.check = "servers", .verdict = Verdict::fail, .finding = ""};
    const auto options = app::postgres_options(settings);
    if (!options) return found;
    auto replicas = cluster::postgres::list_replicas(*options);
    const auto room = cluster::postgres::measure_room(*options);
    if ((!replicas && replicas.error().code != Errc::not_found) || !room) {
        found.finding = replicas ? room.error().message : replicas.error().message;
        return found;
    }
    std::vector<Replica> living;
    if (replicas) living = std::move(*replicas);
    std::erase_if(living, [](const Replica& each) { return each.fenced; });
    found.verdict = Verdict::ok;
    found.finding = std::to_string(living.size()) +
                    (living.size() == 1 ? " server uses" : " servers use") + " the database";
    compare(found, living, settings, *room);
    if (found.verdict == Verdict::warn)
        found.advice =
            "Give all servers of a database the same limits and synchronised clocks; raise "
            "max_connections of PostgreSQL if there are too few connections.";
    return found;
}

Finding check_postgres(const app::Settings& settings)
{
    Finding found{.check = "store", .verdict = Verdict::fail, .finding = ""};
    const auto options = app::postgres_options(settings);
    const auto examined = options ? store::postgres::examine(*options)
                                  : Result<store::postgres::Examined>(options.error());
    if (!examined) {
        found.finding = examined.error().message;
        found.advice = "Check store.url, store.password_file and that the server runs.";
        return found;
    }
    found.verdict = Verdict::ok;
    found.finding = "PostgreSQL " + examined->server_version + " at " + examined->name +
                    (examined->schema == 0 ? "; the first start creates the tables"
                                           : ", schema " + std::to_string(examined->schema));
    for (const std::string& danger : examined->dangers) {
        found.verdict = Verdict::warn;
        found.finding += "; " + danger;
        found.advice = "With these settings of PostgreSQL, a crash can lose stored data.";
    }
    return found;
}

}  // namespace parley::cli
