#include "cluster/postgres/replicas.hpp"

#include "store/postgres/link.hpp"
#include "store/postgres/schema.hpp"

namespace parley::cluster::postgres {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;
using store::postgres::libpq;
using store::postgres::Link;

constexpr std::chrono::seconds patience{5};

Error cannot_be_used(const std::string& why)
{
    return {Errc::storage_unavailable, "The PostgreSQL database cannot be used: " + why};
}

template <class T, class Work>
Result<T> connected(const store::postgres::Options& options, const Work& work)
{
    if (auto loaded = store::postgres::load_library(); !loaded) return loaded.error();
    const auto end = Steady::now() + patience;
    try {
        Link link(options, [end] { return Steady::now() > end; });
        return work(link);
    } catch (const store::postgres::Failure& failure) {
        return cannot_be_used(failure.what());
    }
}

Result<std::vector<Replica>> read(Link& link)
{
    if (link.text("SELECT to_regclass('replicas')").empty())
        return Error{
            Errc::not_found,
            "The PostgreSQL database has no tables of this version: start a server first."};
    const auto rows = link.execute(
        "SELECT incarnation::text, name, version, settings, running::text,"
        " greatest(0, extract(epoch FROM clock_timestamp() - beat_at) * 1000)::bigint::text,"
        " draining::int::text, fenced::int::text FROM replicas"
        " WHERE NOT fenced OR beat_at > clock_timestamp() - interval '1 hour'"
        " ORDER BY incarnation");
    std::vector<Replica> replicas;
    for (int i = 0; i < libpq().PQntuples(rows.get()); ++i) {
        const auto text = [&](int column) {
            return std::string(libpq().PQgetvalue(rows.get(), i, column));
        };
        replicas.push_back({.incarnation = std::stoll(text(0)),
                            .name = text(1),
                            .version = text(2),
                            .settings = text(3),
                            .beat_age = milliseconds(std::stoll(text(5))),
                            .running = std::stoll(text(4)),
                            .draining = text(6) == "1",
                            .fenced = text(7) == "1"});
    }
    return replicas;
}

Room measure(Link& link)
{
    const auto sent = std::chrono::system_clock::now();
    const milliseconds theirs(
        std::stoll(link.text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")));
    const auto received = std::chrono::system_clock::now();
    const auto ours =
        std::chrono::duration_cast<milliseconds>(sent.time_since_epoch() + (received - sent) / 2);
    return {.connections = std::stoll(
                link.text("SELECT least(current_setting('max_connections')::bigint"
                          " - current_setting('superuser_reserved_connections')::bigint,"
                          " (SELECT CASE WHEN rolconnlimit < 0 THEN 1000000 ELSE rolconnlimit END"
                          " FROM pg_roles WHERE rolname = current_user))")),
            .clock_offset = theirs - ours};
}

}  // namespace

Result<std::vector<Replica>> list_replicas(const store::postgres::Options& options)
{
    return connected<std::vector<Replica>>(options, read);
}

Result<Room> measure_room(const store::postgres::Options& options)
{
    return connected<Room>(options, [](Link& link) { return Result<Room>(measure(link)); });
}

}  // namespace parley::cluster::postgres
