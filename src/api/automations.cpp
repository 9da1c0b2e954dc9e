// Automations over HTTP.
#include "automation/automations.hpp"

#include "api/api.hpp"
#include "api/authorization.hpp"
#include "api/automation_answers.hpp"
#include "api/cursor.hpp"
#include "api/idempotency.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/patch.hpp"
#include "api/run_answers.hpp"
#include "api/times.hpp"
#include "api/wire/header_fields.hpp"
#include "api/with_etag.hpp"
#include "auth/event_scopes.hpp"
#include "chat/titles.hpp"

namespace parley::api {
namespace {

using automation::Automations;
using AutomationReader = With<auth::Scope::automation_read>;
using AutomationWriter = With<auth::Scope::automation_write>;

// A new automation, or the one that the same key has made before.
struct MadeAutomation {
    AutomationView automation;
    bool replayed = false;
};

// Its runs tell of the events that made it due: the token must be able to read them.
Result<> may_hear(const auth::Caller& caller, const std::vector<std::string>& names)
{
    EventTypes wanted;
    for (const std::string& name : names) wanted.add(types_named(name));
    for (const auto& each : names_of(EventType{}))
        if (wanted.has(each.value))
            if (auto may = check_access({.scope = auth::scope_of_event(each.name), .by_user = true},
                                        caller);
                !may)
                return may;
    return {};
}

Task<Result<MadeAutomation>> create_automation(Automations& automations, const Clock& clock,
                                               AutomationWriter caller, Origin origin,
                                               const http::RequestHead& head,
                                               CheckedBody<AutomationDefinition, Automations> body)
{
    if (auto may = may_ask(*caller); !may) co_return may.error();
    if (const auto* trigger = body.trigger ? body.trigger->event() : nullptr)
        if (auto may = may_hear(*caller, trigger->event_types); !may) co_return may.error();
    auto key = key_claim(head, "automation", fields::write<AutomationDefinition>(body), clock);
    if (!key) co_return key.error();
    const auto made = co_await automations.create(
        owner_of(caller), std::move(body), std::move(*key), {caller->actor, std::move(origin)});
    if (!made) co_return made.error();
    co_return MadeAutomation{automations.view(made->automation, made->secret), made->replayed};
}

// A cursor is good for this list, this owner and this filter alone.
std::string list_of(const Owner& owner, const AutomationsQuery& query)
{
    std::string list = "automations " + owner.user + (owner.test ? " test" : "");
    list.append(" ").append(query.state ? fields::name_of(*query.state) : "all");
    return list + " " + query.q.value_or("");
}

Task<Result<ListPage<AutomationView>>> list_automations(store::Store& store,
                                                        Automations& automations, Cursors& cursors,
                                                        AutomationReader caller,
                                                        Query<AutomationsQuery> query)
{
    const Owner owner = owner_of(caller);
    const PagePosition place(list_of(owner, query), cursors);
    const auto after = place.of({.limit = query.limit, .after = query.after});
    if (!after) co_return after.error();
    store::AutomationFilter filter{.state = query.state};
    if (query.q) filter.name_part = chat::title_key(*query.q);
    const auto page = co_await store.automations().list(owner, std::move(filter), *after,
                                                        static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<AutomationView>(
        *page, [&](const store::Automation& each) { return automations.view(each); });
}

Task<Result<WithETag<AutomationView>>> get_automation(store::Store& store, Automations& automations,
                                                      AutomationReader caller,
                                                      Path<AutomationPath> path)
{
    const auto found =
        co_await store.automations().find(owner_of(caller), std::move(path.automation));
    if (!found) co_return found.error();
    co_return WithETag<AutomationView>{automations.view(*found), found->revision};
}

// The revision that the client has seen must be the one that is changed. Nothing if the client does
// not say.
Task<Result<std::optional<std::int64_t>>> expected_automation(store::Store& store, Owner owner,
                                                              std::string id,
                                                              const http::RequestHead& head)
{
    if (head.count("if-match") == 0) co_return std::optional<std::int64_t>();
    const auto found = co_await store.automations().find(std::move(owner), std::move(id));
    if (!found) co_return found.error();
    if (!matches(head, found->revision))
        co_return Error{Errc::precondition_failed,
                        "The automation has changed since you fetched it; fetch it again."};
    co_return std::optional(found->revision);
}

Task<Result<WithETag<AutomationView>>> change_automation(
    store::Store& store, Automations& automations, AutomationWriter caller, Origin origin,
    const http::RequestHead& head, Path<AutomationPath> path, Patch<AutomationDefinition> patch)
{
    if (auto may = may_ask(*caller); !may) co_return may.error();
    const Owner owner = owner_of(caller);
    const auto expected = co_await expected_automation(store, owner, path.automation, head);
    if (!expected) co_return expected.error();
    const auto changed = co_await automations.change(
        owner, std::move(path.automation), std::move(patch.given), *expected,
        [&](const std::vector<std::string>& types) { return may_hear(*caller, types); },
        {caller->actor, std::move(origin)});
    if (!changed) co_return changed.error();
    co_return WithETag<AutomationView>{automations.view(changed->automation, changed->secret),
                                       changed->automation.revision};
}

Task<Result<>> delete_automation(store::Store& store, Automations& automations,
                                 AutomationWriter caller, Origin origin,
                                 const http::RequestHead& head, Path<AutomationPath> path)
{
    const Owner owner = owner_of(caller);
    const auto expected = co_await expected_automation(store, owner, path.automation, head);
    if (!expected) co_return expected.error();
    co_return co_await automations.remove(owner, std::move(path.automation), *expected,
                                          {caller->actor, std::move(origin)});
}

Task<Result<WithETag<AutomationView>>> rotate_hook_secret(Automations& automations,
                                                          AutomationWriter caller, Origin origin,
                                                          Path<AutomationPath> path,
                                                          Body<HookRotation> body)
{
    if (auto may = may_ask(*caller); !may) co_return may.error();
    const auto made = co_await automations.rotate_hook(owner_of(caller), std::move(path.automation),
                                                       std::chrono::seconds(body.overlap_s),
                                                       {caller->actor, std::move(origin)});
    if (!made) co_return made.error();
    co_return WithETag<AutomationView>{automations.view(made->automation, made->secret),
                                       made->automation.revision};
}

Task<Result<PreviewView>> preview_automation(Automations& automations, AutomationReader caller,
                                             CheckedBody<PreviewBody, Automations> body)
{
    co_return co_await automations.preview(owner_of(caller), std::move(body));
}

// The position of a page is the due time before it.
Task<Result<ListPage<OccurrenceView>>> list_occurrences(Automations& automations, Cursors& cursors,
                                                        AutomationReader caller,
                                                        Path<AutomationPath> path,
                                                        Query<OccurrencesQuery> query)
{
    Faults faults;
    auto from = time_of(query.from, "from", faults);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    const PagePosition place(
        "occurrences " + path.automation + " " + std::move(query.from).value_or(""), cursors);
    const auto after = place.of({.limit = query.limit, .after = std::move(query.after)});
    if (!after) co_return after.error();
    if (*after) from = TimePoint(TimePoint::duration(**after));
    auto times = co_await automations.occurrences(owner_of(caller), std::move(path.automation),
                                                  from, static_cast<std::size_t>(query.limit));
    if (!times) co_return times.error();
    store::Page<OccurrenceView, std::int64_t> page{.items = std::move(times->items), .next = {}};
    if (times->next) page.next = times->next->time_since_epoch().count();
    co_return place.list<OccurrenceView>(page, [](const OccurrenceView& each) { return each; });
}

constexpr std::string_view about_automations =
    R"(An automation sends its message to a model: at the times of its schedule, after events of your log, when
its hook is called, or when it is run by hand. Each time is one row in the list of its runs; the message
and the answer are a run in a session like any other.

The message is a template; message and parameters of a run are fixed when it becomes due. A schedule
is a cron pattern of five fields in a time zone, or a single time. When the clocks change, a local
time that is skipped is due later by the skipped time (02:30 becomes 03:30), and one that occurs twice is due
the first time. A pattern that matches every hour follows real time.

With an event trigger each such event is one run, and variables point into the event. An automation
ignores events about itself, events that it caused, and all events while it is paused. If automations
cause each other, the fifth in a row is `skipped` (`loop`).

With a hook trigger each call of another program is one run, and variables point into its body. The
response contains `hook` with its URL and its `secret`, which is not shown again.

Needs the scopes `automation:write` and `chat:write`, since it asks in your name.)";

}  // namespace

namespace detail {

template <>
struct ResponseTraits<MadeAutomation> {
    static constexpr int status = 201;
    static constexpr std::array fields{"Location", "ETag", "Idempotency-Replayed"};
    static boost::json::object schema()
    {
        return fields::schema<AutomationView>(fields::Direction::response);
    }
    static http::Response response(const MadeAutomation& made)
    {
        auto response = json_response(status, fields::write(made.automation));
        response.fields.add("Location", "/v1/api/automations/" + made.automation.id);
        response.fields.add("ETag", entity_tag(made.automation.revision));
        if (made.replayed) response.fields.add("Idempotency-Replayed", "true");
        return response;
    }
};

}  // namespace detail

std::vector<Route> automation_routes()
{
    return {
        route<create_automation>(
            "POST", "/v1/api/automations", "createAutomation", "Create an automation", needs_room,
            description(about_automations), takes_fields<IdempotencyFields>,
            may_fail(Errc::invalid_idempotency_key, Errc::unknown_model, Errc::not_found,
                     Errc::idempotency_mismatch, Errc::quota_reached)),
        route<list_automations>("GET", "/v1/api/automations", "listAutomations",
                                "List your automations, newest first",
                                may_fail(Errc::invalid_cursor)),
        route<preview_automation>("POST", "/v1/api/automations/preview", "previewAutomation",
                                  "Check an automation and see what it would do",
                                  description("Stores nothing and asks no model."),
                                  may_fail(Errc::unknown_model)),
        route<get_automation>("GET", "/v1/api/automations/{automation}", "getAutomation",
                              "Get one automation"),
        route<change_automation>(
            "PATCH", "/v1/api/automations/{automation}", "changeAutomation",
            "Change, pause or resume an automation", needs_room,
            description(
                "Takes any fields of the automation; objects are replaced as a whole. Null clears "
                "fields that can be null, resets `overlap` and `timeout_s` to their defaults, and "
                "leaves all others unchanged. Runs that are already due stay as they are."),
            takes_fields<ConditionalFields>,
            may_fail(Errc::precondition_failed, Errc::unknown_model)),
        route<delete_automation>("DELETE", "/v1/api/automations/{automation}", "deleteAutomation",
                                 "Delete an automation and the list of its runs",
                                 description("Active runs are cancelled. Sessions stay."),
                                 takes_fields<ConditionalFields>,
                                 may_fail(Errc::precondition_failed)),
        route<rotate_hook_secret>(
            "POST", "/v1/api/automations/{automation}/hook/rotate", "rotateHookSecret",
            "Replace the secret of an automation's hook", needs_room,
            description(
                "The response contains the new secret as `hook.secret`, which is not shown again. "
                "For `overlap_s`, calls with the old one are accepted, too. Up to 5 earlier "
                "secrets stay valid until their own overlap ends; `overlap_s` 0 ends all of them "
                "at once."),
            may_fail(Errc::conflict)),
        route<list_occurrences>("GET", "/v1/api/automations/{automation}/occurrences",
                                "listOccurrences", "List the next due times of an automation",
                                may_fail(Errc::invalid_cursor)),
    };
}

}  // namespace parley::api
