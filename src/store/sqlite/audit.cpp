#include "store/sqlite/audit.hpp"

#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

#include <limits>

namespace parley::store::sqlite {
namespace {

Result<> insert(Database& database, const AuditEvent& event)
{
    Query insert = database.query(
        "INSERT INTO audit (id, at_ms, actor, action, target, address, request_id)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    insert.bind(event.id, to_ms(event.at), event.actor, event.action, event.target, event.address,
                event.request_id);
    if (!insert.run()) return Error{Errc::conflict, "There is an audit event with this id."};
    return {};
}

// Of a row that begins with: position, id, at_ms, actor, action, target, address, request_id.
AuditEvent event_of(const Query& row)
{
    return {
        row.text(1), from_ms(row.integer(2)), row.text(3), row.text(4), row.text(5), row.text(6),
        row.text(7)};
}

Result<AuditEvent> find_event(Database& database, const std::string& id)
{
    Query select = database.query(
        "SELECT position, id, at_ms, actor, action, target, address, request_id FROM audit"
        " WHERE id = ?1");
    if (!select.bind(id).next()) return not_found("The audit event");
    return event_of(select);
}

using AuditPage = Page<AuditEvent, AuditLog::Position>;

#define LIST_EVENTS(how)                                                                           \
    "SELECT position, id, at_ms, actor, action, target, address, request_id FROM audit " how       \
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

Result<AuditPage> page_before(Database& database, AuditLog::Position before, std::size_t limit,
                              const AuditFilter& filter)
{
    Query select = database.query(list_statement(filter));
    select.bind(before, static_cast<std::int64_t>(limit + 1),  // One more: is there a next page?
                filter.actor, filter.action, filter.target, to_ms(filter.since),
                to_ms(filter.before));
    return page_of<AuditEvent>(select, limit, event_of);
}

}  // namespace

Result<> note(Database& database, const std::optional<AuditEvent>& event)
{
    // A conflict would say something about the use case, which had none.
    if (event && !insert(database, *event))
        return Error{Errc::internal, "a new audit event id already exists"};
    return {};
}

Result<> note(Database& database, const std::vector<AuditEvent>& events)
{
    for (const AuditEvent& event : events)
        if (auto noted = note(database, std::optional(event)); !noted) return noted;
    return {};
}

Task<Result<>> SqliteAudit::append(AuditEvent event)
{
    return writer_.write<void>(
        [event = std::move(event)](Database& database) { return insert(database, event); });
}

Task<Result<AuditEvent>> SqliteAudit::find(std::string id)
{
    return readers_.read<AuditEvent>(
        [id = std::move(id)](Database& database) { return find_event(database, id); });
}

Task<Result<AuditPage>> SqliteAudit::list(std::optional<Position> before, std::size_t limit,
                                          AuditFilter filter)
{
    const Position end = before.value_or(std::numeric_limits<Position>::max());
    return readers_.read<AuditPage>([end, limit, filter = std::move(filter)](Database& database) {
        return page_before(database, end, limit, filter);
    });
}

}  // namespace parley::store::sqlite
