#include "store/sql/audit.hpp"

#include "store/refusals.hpp"
#include "store/sql/people.hpp"
#include "store/sql/time.hpp"

#include <limits>

namespace parley::store::sql {
namespace {

Result<> insert(Connection& connection, const AuditEvent& event)
{
    Query insert = connection.query(
        "INSERT INTO audit (id, at_ms, actor, action, target, address, request_id)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING");
    insert.bind(event.id, event.at, event.actor, event.action, event.target, event.address,
                event.request_id);
    if (insert.run() == 0)
        return Error{Errc::conflict, "An audit event with this id already exists."};
    return {};
}

struct AuditColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<TimePoint> at{*in, "at_ms"};
    Column<std::string> actor{*in, "actor"};
    Column<std::string> action{*in, "action"};
    Column<std::string> target{*in, "target"};
    Column<std::string> address{*in, "address"};
    Column<std::string> request_id{*in, "request_id"};
};

AuditEvent audit_event_of(const Query& row)
{
    const auto& at = row.columns<AuditColumns>();
    return {.id = row[at.id],
            .at = row[at.at],
            .actor = row[at.actor],
            .action = row[at.action],
            .target = row[at.target],
            .address = row[at.address],
            .request_id = row[at.request_id]};
}

Result<AuditEvent> find_event(Connection& connection, const std::string& id)
{
    Query select = connection.query(
        "SELECT id, at_ms, actor, action, target, address, request_id FROM audit"
        " WHERE id = ?1");
    if (!select.bind(id).next()) return not_found("The audit event");
    return audit_event_of(select);
}

using AuditPage = Page<AuditEvent, AuditLog::Position>;

#define LIST_EVENTS(how)                                                                           \
    "SELECT position AS page_position, id, at_ms, actor, action, target, address, request_id"      \
    " FROM audit " how                                                                             \
    " AND position < ?1 AND (?3 IS NULL OR actor = ?3) AND (?4 IS NULL OR action = ?4)"            \
    " AND (?5 IS NULL OR target = ?5) AND (?6 IS NULL OR at_ms >= ?6) AND (?7 IS NULL OR at_ms < " \
    "?7)"                                                                                          \
    " ORDER BY position DESC LIMIT ?2"

// By the index of the filter that leaves the fewest events, as a rule. The rest of the filter is
// looked at row by row.
const char* list_statement(const AuditFilter& filter)
{
    if (filter.target) return LIST_EVENTS("INDEXED BY audit_by_target WHERE target = ?5");
    if (filter.action) return LIST_EVENTS("INDEXED BY audit_by_action WHERE action = ?4");
    if (filter.actor) return LIST_EVENTS("INDEXED BY audit_by_actor WHERE actor = ?3");
    return LIST_EVENTS("WHERE TRUE");
}

Result<AuditPage> page_before(Connection& connection, AuditLog::Position before, std::size_t limit,
                              const AuditFilter& filter)
{
    Query select = connection.query(list_statement(filter));
    select.bind(before, static_cast<std::int64_t>(limit + 1),  // One more: is there a next page?
                filter.actor, filter.action, filter.target, filter.since, filter.before);
    return page_of<AuditEvent>(select, limit, audit_event_of);
}

}  // namespace

Result<> note(Connection& connection, const std::optional<AuditEvent>& event)
{
    // A conflict would say something about the use case, which had none.
    if (event && !insert(connection, *event))
        return Error{Errc::internal, "a new audit event id already exists"};
    return {};
}

Result<> note(Connection& connection, const std::vector<AuditEvent>& events)
{
    for (const AuditEvent& event : events)
        if (auto noted = note(connection, std::optional(event)); !noted) return noted;
    return {};
}

Result<> check_caller(Connection& connection, const std::optional<AuditEvent>& event)
{
    if (!event || event->by.id.empty()) return {};
    const CallersToken& by = event->by;
    const auto shown = find_token(connection, by.id);
    if (!shown) return token_has_ended();
    if (shown->user.empty()) return {};  // A client token: what it may do is public.
    // Every change that withdraws rights of a user takes these. The first one is needed because the
    // work may take it, too.
    connection.lock(Lock::operators, {});
    connection.lock(Lock::user, {shown->user});
    const auto user = find_user(connection, shown->user);
    if (!user || user->disabled || !find_token(connection, by.id)) return token_has_ended();
    if (by.acts_as_operator && user->role != Role::operator_)
        return Error{Errc::insufficient_scope, "Only operators may do this."};
    return {};
}

Result<> check_caller(Connection& connection, const std::vector<AuditEvent>& events)
{
    if (events.empty()) return {};
    return check_caller(connection, std::optional(events.front()));
}

Task<Result<>> SqlAudit::append(AuditEvent event)
{
    return writes_.run<void>(
        [event = std::move(event)](Connection& connection) { return insert(connection, event); });
}

Task<Result<AuditEvent>> SqlAudit::find(std::string id)
{
    return reads_.run<AuditEvent>(
        [id = std::move(id)](Connection& connection) { return find_event(connection, id); });
}

Task<Result<AuditPage>> SqlAudit::list(std::optional<Position> before, std::size_t limit,
                                       AuditFilter filter)
{
    const Position end = before.value_or(std::numeric_limits<Position>::max());
    return reads_.run<AuditPage>([end, limit, filter = std::move(filter)](Connection& connection) {
        return page_before(connection, end, limit, filter);
    });
}

}  // namespace parley::store::sql
