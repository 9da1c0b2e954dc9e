#include "api/audit.hpp"

#include "api/cursor.hpp"
#include "api/listed.hpp"
#include "api/page_position.hpp"
#include "api/wire/audit.hpp"
#include "base/clock.hpp"
#include "base/id.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

AuditEventView view(store::AuditEvent event)
{
    return {.id = std::move(event.id),
            .at = rfc3339(event.at),
            .actor = std::move(event.actor),
            .action = std::move(event.action),
            .target = std::move(event.target),
            .address = std::move(event.address),
            .request_id = std::move(event.request_id)};
}

Task<Result<Listed<AuditEventView>>> list_audit_events(store::Store& store, Cursors& cursors,
                                                       With<auth::Scope::admin> /*caller*/,
                                                       Query<PageQuery> query)
{
    const PagePosition place("audit", cursors);
    const auto before = place.of(query);
    if (!before) co_return before.error();
    const auto page = co_await store.audit().list(*before, static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<AuditEventView>(
        *page, [](const store::AuditEvent& event) { return view(event); });
}

Task<Result<AuditEventView>> get_audit_event(store::Store& store,
                                             With<auth::Scope::admin> /*caller*/,
                                             Path<AuditEventPath> path)
{
    auto event = co_await store.audit().find(path.event);
    if (!event) co_return event.error();
    co_return view(std::move(*event));
}

Task<Result<Created<AuditEventView>>> create_audit_note(store::Store& store, const Clock& clock,
                                                        With<auth::Scope::admin> caller,
                                                        Origin origin, Body<NewAuditNote> body)
{
    const store::AuditEvent event =
        auth::audit_event(clock, caller->actor, "note", std::move(body.note), origin);
    if (auto kept = co_await store.audit().append(event); !kept) co_return kept.error();
    co_return Created<AuditEventView>{view(event), "/v1/api/audit/" + event.id};
}

}  // namespace

std::vector<Route> audit_routes()
{
    return {
        route<list_audit_events>("GET", "/v1/api/audit", "List what was done, newest first",
                                 may_fail(Errc::invalid_cursor)),
        route<create_audit_note>("POST", "/v1/api/audit", "Leave a note in the audit log"),
        route<get_audit_event>("GET", "/v1/api/audit/{event}", "Get one audit event"),
    };
}

}  // namespace parley::api
