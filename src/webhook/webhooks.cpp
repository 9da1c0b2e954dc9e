#include "webhook/webhooks.hpp"

#include "base/id.hpp"
#include "fields/add_fault.hpp"
#include "fields/read.hpp"
#include "fields/write.hpp"
#include "store/refusals.hpp"
#include "webhook/created_before.hpp"
#include "webhook/rotation.hpp"
#include "webhook/signature.hpp"
#include "webhook/target.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

namespace parley::webhook {
namespace {

// A name server that does not answer delays a save so long; the address is checked at each attempt
// anyway.
constexpr std::chrono::seconds time_to_resolve{3};

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& each : names) text.append(text.empty() ? "" : ",").append(each);
    return text;
}

void apply(const api::WebhookDefinition& fields, store::Webhook& webhook)
{
    webhook.url = fields.url;
    webhook.event_types = joined(fields.event_types);
    webhook.payload = fields.payload;
    webhook.ordered = fields.ordered;
    webhook.description = fields.description.value_or("");
    webhook.metadata = boost::json::serialize(boost::json::value_from(fields.metadata));
}

template <class T>
void add_faults(const DeducedResult<T>& checked, Faults& faults)
{
    if (!checked) fields::add_unless_refused(faults, checked.error().faults);
}

// A URL may no longer be allowed: its webhook can still be changed and disabled.
bool uses_url(const store::Webhook& before, const boost::json::object& given, WebhookState state)
{
    return given.contains("url") ||
           (state == WebhookState::active && before.state != WebhookState::active);
}

Error too_many_lookups()
{
    return {.code = Errc::overloaded,
            .message =
                "Several host names of your webhooks are being looked up, and their name "
                "servers do not answer.",
            .retry_after = time_to_resolve};
}

}  // namespace

Webhooks::Webhooks(store::Store& store, const Payloads& payloads, const Sealer& sealer,
                   http::client::Resolver& resolver, const Clock& clock, Rules rules, Wake wake)
    : store_(store),
      payloads_(payloads),
      sealer_(sealer),
      resolver_(resolver),
      clock_(clock),
      rules_(std::move(rules)),
      wake_(std::move(wake))
{
}

Result<EventTypes> read_types(const std::vector<std::string>& names)
{
    EventTypes types;
    Faults faults;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const EventTypes named = types_named(names[i]);
        if (named.empty())
            faults.push_back({"#/event_types/" + std::to_string(i), "invalid",
                              "must be a type of event, or the beginning of types and `.*`"});
        types.add(named);
    }
    if (!faults.empty()) return validation_failed(std::move(faults));
    return types;
}

Result<http::client::Url> Webhooks::target_of(std::string_view url) const
{
    auto parsed = parse_target(url, rules_.allow_http);
    if (!parsed || !parsed->host_is_address() || !rules_.address_rule) return parsed;
    if (!rules_.address_rule(boost::asio::ip::make_address(parsed->host())))
        return address_refused();
    return parsed;
}

void Webhooks::add_faults_of(const api::WebhookDefinition& fields, Faults& faults) const
{
    add_faults(read_types(fields.event_types), faults);
    add_faults(target_of(fields.url), faults);
}

// A name that has no address now is accepted: its deliveries fail until it has one.
Task<Result<>> Webhooks::check_target(const Owner& owner, std::string url) const
{
    const auto parsed = target_of(url);
    if (!parsed) co_return parsed.error();
    if (parsed->host_is_address()) co_return Result<>();
    auto lookup = lookups_->begin(owner.user);
    if (!lookup) co_return too_many_lookups();
    const auto addresses = co_await http::client::resolve_within(
        resolver_, parsed->host(), time_to_resolve, std::move(lookup));
    for (const auto& each : addresses)
        if (rules_.address_rule && !rules_.address_rule(each)) co_return address_refused();
    co_return Result<>();
}

// Before the look-up of a name, which costs more. The store decides in the end.
Task<Result<>> Webhooks::check_quota(const Owner& owner) const
{
    const auto page = co_await store_.webhooks().list(owner, std::nullopt, rules_.max_per_user);
    if (!page) co_return page.error();
    if (page->items.size() >= rules_.max_per_user)
        co_return store::too_many_webhooks(rules_.max_per_user);
    co_return Result<>();
}

// A retry gets what its request has created, even if a new one would be refused by now: its host
// may have no address any more.
Task<Result<ShownWebhook>> Webhooks::create(Owner owner, auth::Scopes scopes,
                                            api::WebhookDefinition fields,
                                            std::optional<store::KeyClaim> key, Actor actor)
{
    auto made = co_await create_new(owner, scopes, std::move(fields), key, std::move(actor));
    if (made || !key) co_return made;
    auto before = co_await created_before<store::Webhook>(store_.webhooks(), std::move(owner),
                                                          std::move(*key), made.error());
    if (!before) co_return before.error();
    co_return ShownWebhook{.webhook = std::move(*before), .replayed = true};
}

Task<Result<ShownWebhook>> Webhooks::create_new(Owner owner, auth::Scopes scopes,
                                                api::WebhookDefinition fields,
                                                std::optional<store::KeyClaim> key, Actor actor)
{
    if (const auto types = read_types(fields.event_types); !types) co_return types.error();
    // The same key may give a webhook that is there already.
    if (!key)
        if (auto fits = co_await check_quota(owner); !fits) co_return fits.error();
    if (auto checked = co_await check_target(owner, fields.url); !checked)
        co_return checked.error();
    const TimePoint now = clock_.now();
    const SigningSecret secret = SigningSecret::make();
    store::Webhook made{.id = new_id("whk", now),
                        .owner = std::move(owner),
                        .scopes = scopes.bits(),
                        .created_at = now};
    made.secret = {.sealed = sealer_.seal(made.id, secret.text()), .hint = secret.hint()};
    apply(fields, made);
    auto noted = audit(actor, "webhook.created", made.id);
    auto created = co_await store_.webhooks().create(
        std::move(made), rules_.max_per_user, std::move(key), actor.cause(), std::move(noted));
    if (!created) co_return created.error();
    ShownWebhook shown{.webhook = std::move(created->webhook), .replayed = created->replayed};
    if (!shown.replayed) {
        shown.secret = std::string(secret.text().reveal());
        wake_(shown.webhook.id, shown.webhook.owner);
    }
    co_return shown;
}

Result<store::WebhookChange> Webhooks::change_of(const store::Webhook& before, auth::Scopes scopes,
                                                 const boost::json::object& given) const
{
    boost::json::value whole = fields::to_json(settings_of(before));
    for (const auto& [name, value] : given) whole.as_object()[name] = value;
    Faults faults;
    const auto wanted = fields::read<api::WebhookSettings>(whole, faults);
    add_faults(read_types(wanted.event_types), faults);
    if (uses_url(before, given, wanted.state)) add_faults(target_of(wanted.url), faults);
    if (!faults.empty()) return validation_failed(std::move(faults));
    store::WebhookChange change{.webhook = before, .seen = before.revision};
    apply(wanted, change.webhook);
    // A token must not get by a change what it may not read itself.
    if (given.contains("event_types"))
        change.webhook.scopes = scopes.bits();
    else if (given.contains("url") || given.contains("payload"))
        change.webhook.scopes &= scopes.bits();
    change.webhook.updated_at = clock_.now();
    change.webhook.state = wanted.state;
    if (wanted.state == WebhookState::active)
        change.webhook.disabled_reason.reset();
    else if (before.state == WebhookState::active)
        change.webhook.disabled_reason = DisabledReason::user;
    return change;
}

Task<Result<store::Webhook>> Webhooks::change(Owner owner, auth::Scopes scopes, std::string id,
                                              boost::json::object given,
                                              std::optional<std::int64_t> expected,
                                              const Check& check, Actor actor)
{
    for (;;) {  // Again if it was changed in between, and the caller did not say which one it saw.
        const auto before = co_await store_.webhooks().find(owner, id);
        if (!before) co_return before.error();
        if (expected && *expected != before->revision) co_return store::webhook_was_changed();
        auto change = change_of(*before, scopes, given);
        if (!change) co_return change.error();
        const auto types = read_types(names_of_types(change->webhook));
        if (!types) co_return types.error();
        // Also if they stay as they are: otherwise a token could move to its own URL what it may
        // not read.
        if (auto checked = check(*types); !checked) co_return checked.error();
        if (uses_url(*before, given, change->webhook.state))
            if (auto checked = co_await check_target(owner, change->webhook.url); !checked)
                co_return checked.error();
        change->cause = actor.cause();
        change->audit = audit(actor, "webhook.changed", change->webhook.id);
        auto changed = co_await store_.webhooks().change(std::move(*change));
        const bool was_late = !changed && changed.error().code == Errc::precondition_failed;
        if (was_late && !expected) continue;
        if (changed) wake_(changed->id, changed->owner);
        co_return changed;
    }
}

Task<Result<ShownWebhook>> Webhooks::rotate(Owner owner, std::string id,
                                            std::chrono::seconds overlap, Actor actor)
{
    const SigningSecret secret = SigningSecret::make();
    for (;;) {  // Again if it was changed in between.
        const auto before = co_await store_.webhooks().find(owner, id);
        if (!before) co_return before.error();
        const TimePoint now = clock_.now();
        store::WebhookChange change{.webhook = *before,
                                    .seen = before->revision,
                                    .cause = actor.cause(),
                                    .audit = audit(actor, "webhook.secret_rotated", id)};
        change.webhook.updated_at = now;
        auto old = old_after_rotation(before->secret.old, before->secret.sealed, overlap, now);
        if (!old) co_return old.error();
        change.webhook.secret = {.sealed = sealer_.seal(before->id, secret.text()),
                                 .hint = secret.hint(),
                                 .old = std::move(*old)};
        auto changed = co_await store_.webhooks().change(std::move(change));
        if (!changed && changed.error().code == Errc::precondition_failed) continue;
        if (!changed) co_return changed.error();
        co_return ShownWebhook{.webhook = std::move(*changed),
                               .secret = std::string(secret.text().reveal())};
    }
}

Task<Result<>> Webhooks::remove(Owner owner, std::string id, std::optional<std::int64_t> expected,
                                Actor actor)
{
    auto noted = audit(actor, "webhook.deleted", id);
    co_return co_await store_.webhooks().remove(std::move(owner), std::move(id), expected,
                                                clock_.now(), actor.cause(), std::move(noted));
}

store::AuditEvent Webhooks::audit(const Actor& actor, const char* action,
                                  const std::string& webhook) const
{
    return auth::audit_event(clock_, actor.name, action, webhook, actor.origin);
}

}  // namespace parley::webhook
