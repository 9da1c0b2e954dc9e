#include "cluster/postgres/pulse.hpp"

#include <algorithm>
#include <sstream>

// As in store/sql/replicas.cpp and turns.cpp.
#define IS_WITHOUT_SERVER                                      \
    " completed_ms IS NULL AND (replica IS NULL OR NOT EXISTS" \
    " (SELECT 1 FROM replicas WHERE incarnation = runs.replica AND NOT fenced))"

namespace parley::cluster::postgres {
namespace {

using store::postgres::libpq;

using Steady = std::chrono::steady_clock;

// For how long a message about grown logs can be read.
constexpr const char* life_of_message = "interval '10 s'";
constexpr std::chrono::minutes memory_of_messages{1};

std::string interval(std::chrono::milliseconds time)
{
    return "interval '" + std::to_string(time.count()) + " ms'";
}

// "user/session" and "user/session/run/run", as store/sql/connection.hpp says.
DeletedSession deleted_session(const std::string& text)
{
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return {.session = text};
    return {.user = text.substr(0, slash), .session = text.substr(slash + 1)};
}

DeletedRuns deleted_runs(const std::string& text)
{
    DeletedRuns deleted;
    std::istringstream parts(text);
    std::getline(parts, deleted.user, '/');
    std::getline(parts, deleted.session, '/');
    for (std::string run; std::getline(parts, run, '/');) deleted.active.push_back(run);
    return deleted;
}

bool is_plain(const std::string& name)
{
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               c == '_';
    });
}

std::string message_of(const PulseRequest& request)
{
    std::string names;
    for (const std::string& name : request.grown)
        if (is_plain(name)) names += (names.empty() ? "" : " ") + name;
    if (names.empty()) return {};
    const std::string self = std::to_string(request.me);
    return ", message AS (INSERT INTO grown_logs (replica, number, owners) VALUES (" + self + ", " +
           std::to_string(request.number) + ", '" + names +
           "')), old AS (DELETE FROM grown_logs WHERE replica = " + self +
           " AND at < clock_timestamp() - " + life_of_message + ")";
}

std::string unread_messages(const PulseRequest& request)
{
    std::string read = "0";
    if (!request.logs.empty()) {
        read = "CASE replica";
        for (const auto& [replica, last] : request.logs)
            read += " WHEN " + std::to_string(replica) + " THEN " + std::to_string(last.number);
        read += " ELSE 0 END";
    }
    return "SELECT 'logs', replica || ' ' || owners, number FROM grown_logs WHERE replica <> " +
           std::to_string(request.me) + " AND number > " + read + " AND at > clock_timestamp() - " +
           life_of_message;
}

void take_message(const std::string& text, std::int64_t number, PulseRequest& request, Heard& heard)
{
    std::istringstream words(text);
    std::int64_t replica = 0;
    words >> replica;
    ReadMessage& read = request.logs[replica];
    read = {std::max(read.number, number), Steady::now()};
    for (std::string name; words >> name;) heard.logs.push_back(name);
}

// The last messages of a server may have been lost with it.
void take_living(const std::string& text, PulseRequest& request, Heard& heard)
{
    std::istringstream words(text);
    std::set<std::int64_t> living;
    for (std::int64_t each = 0; words >> each;) living.insert(each);
    heard.may_lack_logs = !std::ranges::includes(living, request.living);
    request.living = std::move(living);
}

}  // namespace

// Rows of (kind, text, number).
std::string statement_of(const PulseRequest& request)
{
    const std::string self = std::to_string(request.me);
    return "WITH beat AS (UPDATE replicas SET beat_at = clock_timestamp(), running = " +
           std::to_string(request.running) +
           ", draining = " + (request.draining ? "true" : "false") +
           " WHERE incarnation = " + self + " AND NOT fenced RETURNING 1)" + message_of(request) +
           " SELECT 'beat', '', 0::bigint FROM beat"
           " UNION ALL (SELECT 'heard ' || encode(kind, 'escape'), encode(subject, 'escape'),"
           " number FROM heard WHERE number > " +
           std::to_string(request.heard) +
           " ORDER BY number)"
           " UNION ALL SELECT 'cancel', encode(id, 'escape'), 0 FROM runs WHERE replica = " +
           self +
           " AND completed_ms IS NULL AND cancel_asked = 1"
           " UNION ALL SELECT 'members', coalesce(string_agg(incarnation::text, ' '), ''),"
           " count(*) FROM replicas WHERE NOT fenced"
           " UNION ALL SELECT 'first', '', coalesce(min(incarnation), 0) FROM replicas"
           " WHERE NOT fenced AND NOT draining"
           " UNION ALL SELECT 'orphan', '', 0 WHERE EXISTS (SELECT 1 FROM runs"
           " WHERE (status = 'running' OR cancel_asked = 1) AND" IS_WITHOUT_SERVER
           ")"
           " UNION ALL SELECT 'waiting', CASE WHEN owner % 2 = 1 OR model = 'scripted'"
           " THEN 'scripted' ELSE 'real' END, count(*) FROM runs"
           " WHERE status = 'queued' AND cancel_asked = 0 AND" IS_WITHOUT_SERVER
           " GROUP BY 2"
           " UNION ALL " +
           unread_messages(request) +
           // After a restart of PostgreSQL all servers need time for a beat.
           " UNION ALL SELECT 'expired', '', incarnation FROM replicas"
           " WHERE NOT fenced AND beat_at < clock_timestamp() - " +
           interval(request.lease) + " AND pg_postmaster_start_time() < clock_timestamp() - " +
           interval(request.lease) + " AND incarnation <> " + self;
}

Pulse pulse_of(const store::postgres::ResultPtr& rows, PulseRequest& request)
{
    Pulse pulse;
    for (int i = 0; i < libpq().PQntuples(rows.get()); ++i) {
        const std::string_view kind = libpq().PQgetvalue(rows.get(), i, 0);
        const std::string text = libpq().PQgetvalue(rows.get(), i, 1);
        const std::int64_t number = std::stoll(libpq().PQgetvalue(rows.get(), i, 2));
        if (kind == "beat") pulse.has_lease = true;
        if (kind == "cancel") pulse.heard.cancelled.push_back(text);
        if (kind == "orphan") pulse.heard.has_orphans = true;
        if (kind == "waiting") pulse.heard.waiting += static_cast<std::size_t>(number);
        if (kind == "waiting" && text == "scripted")
            pulse.heard.waiting_scripted = static_cast<std::size_t>(number);
        if (kind == "expired") pulse.expired.push_back(number);
        if (kind == "members") {
            pulse.members = std::max<std::size_t>(1, number);
            take_living(text, request, pulse.heard);
        }
        if (kind == "first") pulse.first = number;
        if (kind == "logs") take_message(text, number, request, pulse.heard);
        if (kind == "heard rights") pulse.heard.rights.push_back(text);
        if (kind == "heard session") pulse.heard.sessions.push_back(deleted_session(text));
        if (kind == "heard runs") pulse.heard.runs.push_back(deleted_runs(text));
        if (kind == "heard user") pulse.heard.users.push_back(text);
        if (kind.starts_with("heard")) request.heard = number;
    }
    forget_silent(request, Steady::now());
    return pulse;
}

// A failover may have lost news that were heard; then others have got their numbers. To hear news
// twice does no harm. Those that are older were told while this server did not answer for minutes:
// it was fenced then, and has forgotten all that they are about.
void hear_again(store::postgres::Link& link, PulseRequest& request)
{
    if (request.heard == 0) return;
    const std::string before = link.text(
        "SELECT least((SELECT min(number) - 1 FROM heard"
        " WHERE at > clock_timestamp() - interval '5 minutes'),"
        " coalesce((SELECT value FROM counters WHERE name = 'heard'), 0))");
    request.heard = std::min<std::int64_t>(request.heard, std::stoll(before));
}

void forget_silent(PulseRequest& request, Steady::time_point now)
{
    std::erase_if(request.logs,
                  [now](const auto& each) { return each.second.at < now - memory_of_messages; });
}

}  // namespace parley::cluster::postgres
