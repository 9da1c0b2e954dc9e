#include "cluster/postgres/fence.hpp"

namespace parley::cluster::postgres {
namespace {

using store::postgres::Failure;
using store::postgres::libpq;
using store::postgres::Link;
using store::postgres::ResultPtr;

constexpr std::string_view query_canceled = "57014";

std::string where_incarnation(std::int64_t incarnation)
{
    return " FROM replicas WHERE incarnation = " + std::to_string(incarnation);
}

bool is_fenced(Link& link, std::int64_t incarnation)
{
    // A row that is missing was removed long after it was fenced.
    return link.text("SELECT fenced" + where_incarnation(incarnation)) != "f";
}

void mark_fenced(Link& link, std::int64_t incarnation)
{
    link.execute("UPDATE replicas SET fenced = true WHERE incarnation = " +
                 std::to_string(incarnation));
}

// True if it is fenced now. A lock that cannot be had within a second is not waited for: the
// fencing server must renew its own lease. (A lock_timeout would count anew for each transaction
// that holds the lock.)
bool fence_in_time(Link& link, std::int64_t incarnation, const std::string& condition)
{
    link.execute("BEGIN");
    try {
        link.execute("SET LOCAL statement_timeout = '1s'");
        const ResultPtr locked = link.execute("SELECT 1" + where_incarnation(incarnation) +
                                              " AND NOT fenced" + condition + " FOR UPDATE");
        if (libpq().PQntuples(locked.get()) == 1) mark_fenced(link, incarnation);
        link.execute("COMMIT");
    } catch (const Failure& failure) {
        if (failure.is_lost()) throw;
        link.execute("ROLLBACK");
        if (failure.state() != query_canceled) throw;
    }
    return is_fenced(link, incarnation);
}

}  // namespace

std::string connection_name(Link& link, std::int64_t incarnation)
{
    // The number of the table tells apart servers of two schemas in one database.
    return "parley/" + std::to_string(incarnation) + "/" +
           link.text("SELECT 'replicas'::regclass::oid");
}

bool fence(Link& link, std::int64_t incarnation, std::chrono::milliseconds lease)
{
    // All of them end at the same time; the lock is waited for until those that hold it have.
    link.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = '" +
        connection_name(link, incarnation) + "'");
    return fence_in_time(
        link, incarnation,
        " AND beat_at < clock_timestamp() - interval '" + std::to_string(lease.count()) + " ms'");
}

void end_stuck_connections(Link& link, std::chrono::milliseconds of_fenced,
                           std::chrono::milliseconds of_others)
{
    link.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " LEFT JOIN replicas ON incarnation::text = split_part(application_name, '/', 2)"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND application_name LIKE 'parley/%/' || 'replicas'::regclass::oid"
        " AND state <> 'idle' AND wait_event = 'ClientRead'"
        " AND state_change < clock_timestamp() - CASE WHEN fenced THEN interval '" +
        std::to_string(of_fenced.count()) + " ms' ELSE interval '" +
        std::to_string(of_others.count()) + " ms' END");
}

bool try_to_fence_oneself(Link& link, std::int64_t incarnation)
{
    return fence_in_time(link, incarnation, "");
}

}  // namespace parley::cluster::postgres
