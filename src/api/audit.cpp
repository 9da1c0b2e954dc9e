// The audit log over HTTP: operators read it, and can add notes.
#include "api/wire/audit.hpp"

#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/times.hpp"
#include "base/clock.hpp"
#include "base/id.hpp"
#include "base/rfc3339.hpp"
#include "base/trusted_time.hpp"
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

Result<store::AuditFilter> filter_of(AuditQuery query)
{
    Faults faults;
    store::AuditFilter filter{.actor = std::move(query.actor),
                              .action = std::move(query.action),
                              .target = std::move(query.target),
                              .since = time_of(query.since, "since", faults),
                              .before = time_of(query.before, "before", faults)};
    if (!faults.empty()) return validation_failed(std::move(faults));
    return filter;
}

// A cursor is valid for this filter only.
std::string list_of(const AuditQuery& query)
{
    AuditQuery same = query;
    same.limit = 0;
    same.after.reset();
    return "audit " + fields::write(same);
}

Task<Result<ListPage<AuditEventView>>> list_audit_events(store::Store& store, Cursors& cursors,
                                                         With<auth::Scope::admin> /*caller*/,
                                                         Query<AuditQuery> query)
{
    const PagePosition place(list_of(query), cursors);
    const auto before = place.of({.limit = query.limit, .after = query.after});
    if (!before) co_return before.error();
    const auto limit = static_cast<std::size_t>(query.limit);
    auto filter = filter_of(std::move(query));
    if (!filter) co_return filter.error();
    const auto page = co_await store.audit().list(*before, limit, std::move(*filter));
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

Task<Result<Created<AuditEventView>>> create_audit_note(store::Store& store,
                                                        const TrustedTime& time,
                                                        With<auth::Scope::admin> caller,
                                                        Origin origin, Body<NewAuditNote> body)
{
    const store::AuditEvent event =
        auth::audit_event(time.wall(), caller->actor, "note", std::move(body.note), origin);
    if (auto kept = co_await store.audit().append(event); !kept) co_return kept.error();
    co_return Created<AuditEventView>{view(event), "/v1/api/audit/" + event.id};
}

}  // namespace

std::vector<Route> audit_routes()
{
    return {
        route<list_audit_events>("GET", "/v1/api/audit", "listAuditEvents",
                                 "List audit events, newest first",
                                 description("Every action is one event. Filters can be combined."),
                                 may_fail(Errc::invalid_cursor)),
        route<create_audit_note>("POST", "/v1/api/audit", "createAuditNote",
                                 "Add a note to the audit log"),
        route<get_audit_event>("GET", "/v1/api/audit/{event}", "getAuditEvent",
                               "Get one audit event"),
    };
}

}  // namespace parley::api
