// Webhooks over HTTP.
#include "webhook/webhooks.hpp"

#include "api/api.hpp"
#include "api/authorization.hpp"
#include "api/cursor.hpp"
#include "api/idempotency.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/patch.hpp"
#include "api/run_answers.hpp"
#include "api/wire/header_fields.hpp"
#include "api/with_etag.hpp"
#include "auth/event_scopes.hpp"

namespace parley::api {
namespace {

using webhook::Webhooks;
using WebhookReader = With<auth::Scope::automation_read>;
using WebhookWriter = With<auth::Scope::automation_write>;

// A new webhook, or the one that the same key has made before.
struct MadeWebhook {
    WebhookView webhook;
    std::int64_t revision = 0;
    bool replayed = false;
};

// Fails with insufficient_scope for types that the token may not read.
Result<> may_hear(const auth::Caller& caller, EventTypes types)
{
    for (const auto& each : names_of(EventType{})) {
        if (!types.has(each.value)) continue;
        const Access needed{.scope = auth::scope_of_event(each.name), .by_user = true};
        if (auto may = check_access(needed, caller); !may) return may;
    }
    return {};
}

WebhookView shown(const webhook::ShownWebhook& made)
{
    WebhookView view = webhook::view(made.webhook);
    view.secret = made.secret;
    return view;
}

Task<Result<MadeWebhook>> create_webhook(Webhooks& webhooks, const Clock& clock,
                                         WebhookWriter caller, Origin origin,
                                         const http::RequestHead& head,
                                         CheckedBody<WebhookDefinition, Webhooks> body)
{
    const auto types = webhook::read_types(body.event_types);
    if (!types) {
        Faults faults;
        webhooks.add_faults_of(body, faults);
        co_return validation_failed(std::move(faults));
    }
    if (auto may = may_hear(*caller, *types); !may) co_return may.error();
    auto key = key_claim(head, "webhook", fields::write<WebhookDefinition>(body), clock);
    if (!key) co_return key.error();
    const auto made = co_await webhooks.create(owner_of(caller), caller->scopes, std::move(body),
                                               std::move(*key), {caller->actor, std::move(origin)});
    if (!made) co_return made.error();
    co_return MadeWebhook{shown(*made), made->webhook.revision, made->replayed};
}

Task<Result<ListPage<WebhookView>>> list_webhooks(store::Store& store, Cursors& cursors,
                                                  WebhookReader caller, Query<PageQuery> query)
{
    const Owner owner = owner_of(caller);
    const PagePosition place("webhooks " + owner.user + (owner.test ? " test" : ""), cursors);
    const auto after = place.of(query);
    if (!after) co_return after.error();
    const auto page =
        co_await store.webhooks().list(owner, *after, static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<WebhookView>(
        *page, [](const store::Webhook& each) { return webhook::view(each); });
}

Task<Result<WithETag<WebhookView>>> get_webhook(store::Store& store, WebhookReader caller,
                                                Path<WebhookPath> path)
{
    const auto found = co_await store.webhooks().find(owner_of(caller), std::move(path.webhook));
    if (!found) co_return found.error();
    co_return WithETag<WebhookView>{webhook::view(*found), found->revision};
}

// The revision that the client has seen must be the one that is changed. Nothing if the client does
// not say.
Task<Result<std::optional<std::int64_t>>> expected_webhook(store::Store& store, Owner owner,
                                                           std::string id,
                                                           const http::RequestHead& head)
{
    if (head.count("if-match") == 0) co_return std::optional<std::int64_t>();
    const auto found = co_await store.webhooks().find(std::move(owner), std::move(id));
    if (!found) co_return found.error();
    if (!matches(head, found->revision))
        co_return Error{Errc::precondition_failed,
                        "The webhook has changed since you fetched it; fetch it again."};
    co_return std::optional(found->revision);
}

Task<Result<WithETag<WebhookView>>> change_webhook(store::Store& store, Webhooks& webhooks,
                                                   WebhookWriter caller, Origin origin,
                                                   const http::RequestHead& head,
                                                   Path<WebhookPath> path,
                                                   Patch<WebhookSettings> patch)
{
    const Owner owner = owner_of(caller);
    const auto expected = co_await expected_webhook(store, owner, path.webhook, head);
    if (!expected) co_return expected.error();
    const auto changed = co_await webhooks.change(
        owner, caller->scopes, std::move(path.webhook), std::move(patch.given), *expected,
        [&](EventTypes types) { return may_hear(*caller, types); },
        {caller->actor, std::move(origin)});
    if (!changed) co_return changed.error();
    co_return WithETag<WebhookView>{webhook::view(*changed), changed->revision};
}

Task<Result<>> delete_webhook(store::Store& store, Webhooks& webhooks, WebhookWriter caller,
                              Origin origin, const http::RequestHead& head, Path<WebhookPath> path)
{
    const Owner owner = owner_of(caller);
    const auto expected = co_await expected_webhook(store, owner, path.webhook, head);
    if (!expected) co_return expected.error();
    co_return co_await webhooks.remove(owner, std::move(path.webhook), *expected,
                                       {caller->actor, std::move(origin)});
}

Task<Result<WithETag<WebhookView>>> rotate_webhook_secret(Webhooks& webhooks, WebhookWriter caller,
                                                          Origin origin, Path<WebhookPath> path,
                                                          Body<RotateBody> body)
{
    const auto made = co_await webhooks.rotate(owner_of(caller), std::move(path.webhook),
                                               std::chrono::seconds(body.overlap_s),
                                               {caller->actor, std::move(origin)});
    if (!made) co_return made.error();
    co_return WithETag<WebhookView>{shown(*made), made->webhook.revision};
}

constexpr std::string_view about_webhooks =
    R"(Sends the events of your log to a URL, signed as Standard Webhooks 1.0 says. Each event is sent at
least once, with the id of the event as `webhook-id`; success is a status 2xx within 15 seconds. A
failed event is tried again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours.

The URL must lead to public addresses; this is checked now and at every attempt. Redirects are not
followed. The types must be readable for your token: `chat.*` with `chat:read`, `automation.*` and
`webhook.*` with `automation:read`, `token.*` and `login.*` with `account`.

The response contains the `secret`, which is not shown again.)";

}  // namespace

namespace detail {

template <>
struct ResponseTraits<MadeWebhook> {
    static constexpr int status = 201;
    static constexpr std::array fields{"Location", "ETag", "Idempotency-Replayed"};
    static boost::json::object schema()
    {
        return fields::schema<WebhookView>(fields::Direction::response);
    }
    static http::Response response(const MadeWebhook& made)
    {
        auto response = json_response(status, fields::write(made.webhook));
        response.fields.add("Location", "/v1/api/webhooks/" + made.webhook.id);
        response.fields.add("ETag", entity_tag(made.revision));
        if (made.replayed) response.fields.add("Idempotency-Replayed", "true");
        return response;
    }
};

}  // namespace detail

std::vector<Route> webhook_routes()
{
    return {
        route<create_webhook>(
            "POST", "/v1/api/webhooks", "createWebhook", "Create a webhook", needs_room,
            description(about_webhooks), takes_fields<IdempotencyFields>,
            may_fail(Errc::invalid_idempotency_key, Errc::insufficient_scope, Errc::not_found,
                     Errc::idempotency_mismatch, Errc::quota_reached)),
        route<list_webhooks>("GET", "/v1/api/webhooks", "listWebhooks",
                             "List your webhooks, newest first", may_fail(Errc::invalid_cursor)),
        route<get_webhook>("GET", "/v1/api/webhooks/{webhook}", "getWebhook", "Get one webhook"),
        route<change_webhook>(
            "PATCH", "/v1/api/webhooks/{webhook}", "changeWebhook",
            "Change, disable or enable a webhook", needs_room,
            description(
                "Takes any fields of the webhook; null clears the `description`, and leaves other "
                "fields unchanged. When a webhook is disabled, its pending deliveries fail. When "
                "it is enabled again, it receives the events from then on; a replay sends the "
                "earlier ones. The URL is checked if it is given, and when the webhook is enabled. "
                "Your token must be allowed to read all its types."),
            takes_fields<ConditionalFields>,
            may_fail(Errc::precondition_failed, Errc::insufficient_scope)),
        route<delete_webhook>("DELETE", "/v1/api/webhooks/{webhook}", "deleteWebhook",
                              "Delete a webhook and its deliveries",
                              takes_fields<ConditionalFields>, may_fail(Errc::precondition_failed)),
        route<rotate_webhook_secret>(
            "POST", "/v1/api/webhooks/{webhook}/rotate", "rotateWebhookSecret",
            "Replace the secret of a webhook", needs_room,
            description(
                "The response contains the new `secret`, which is not shown again. For "
                "`overlap_s`, events are signed with both, the new one first. Up to 5 earlier "
                "secrets stay valid until their own overlap ends; `overlap_s` 0 ends all of them "
                "at once."),
            may_fail(Errc::precondition_failed, Errc::conflict)),
    };
}

}  // namespace parley::api
