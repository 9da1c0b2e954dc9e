#include "store/postgres/examine.hpp"

#include "store/postgres/schema.hpp"

namespace parley::store::postgres {
namespace {

constexpr std::chrono::seconds patience{5};

std::vector<std::string> dangers_of(Link& link)
{
    std::vector<std::string> dangers;
    for (const std::string name : {"fsync", "full_page_writes"})
        if (link.text("SHOW " + name) != "on") dangers.push_back(name + " is off");
    if (link.text("SELECT count(*) FROM pg_stat_replication") != "0" &&
        link.text("SHOW synchronous_standby_names").empty())
        dangers.emplace_back("a standby is not synchronous (synchronous_standby_names)");
    return dangers;
}

Result<Examined> examine_open(Link& link, std::string name)
{
    const auto state = read_schema_state(link);
    if (auto fits = check_use(link, state.value_or(SchemaState())); !fits) return fits.error();
    return Examined{.name = std::move(name),
                    .server_version = link.text("SHOW server_version"),
                    .schema = state ? state->version : 0,
                    .dangers = dangers_of(link)};
}

}  // namespace

Result<Examined> examine(const Options& options)
{
    auto name = name_of_database(options.url);
    if (!name) return Error{name.error().code, "store.url: " + name.error().message};
    const auto end = std::chrono::steady_clock::now() + patience;
    try {
        Link link(options, [end] { return std::chrono::steady_clock::now() > end; });
        return examine_open(link, std::move(*name));
    } catch (const Failure& failure) {
        return Error{Errc::storage_unavailable,
                     "The PostgreSQL database " + *name + " cannot be used: " + failure.what()};
    }
}

}  // namespace parley::store::postgres
