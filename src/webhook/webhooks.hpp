// The use cases of webhooks: what the interface offers, checked before the store is asked.
//
// Threads: from any event loop.
#pragma once

#include "api/wire/webhook_delivery.hpp"
#include "auth/actor.hpp"
#include "auth/scope.hpp"
#include "base/task.hpp"
#include "http/client/address_rule.hpp"
#include "http/client/resolver.hpp"
#include "http/client/url.hpp"
#include "store/store.hpp"
#include "webhook/lookups.hpp"
#include "webhook/payloads.hpp"
#include "webhook/sealer.hpp"

#include <functional>
#include <optional>
#include <string>

namespace parley::webhook {

// The rules for webhooks, from the settings of the server.
struct Rules {
    std::size_t max_per_user = 10;
    bool allow_http = false;
    http::client::AddressRule address_rule = {};
    std::size_t most_replayed = 10'000;  // By one request.
};

using auth::Actor;

// With its secret, if that was just made.
struct ShownWebhook {
    store::Webhook webhook = {};
    std::optional<std::string> secret = {};
    bool replayed = false;
};

class Webhooks {
public:
    using Wake = std::function<void(const std::string& webhook, const Owner& owner)>;
    // `wake` is called after each change that leaves something to be sent. All must outlive it.
    Webhooks(store::Store& store, const Payloads& payloads, const Sealer& sealer,
             http::client::Resolver& resolver, const Clock& clock, Rules rules, Wake wake);

    // Adds the faults that need no look-up to those found when the body was read.
    void add_faults_of(const api::WebhookDefinition& fields, Faults& faults) const;

    // `scopes`: of the token that asks. Types that it may not read are not sent.
    Task<Result<ShownWebhook>> create(Owner owner, auth::Scopes scopes,
                                      api::WebhookDefinition fields,
                                      std::optional<store::KeyClaim> key, Actor actor);

    // Given fields replace those of the webhook. `check` may refuse the result. Fails with
    // precondition_failed if `expected` is given and not its revision.
    using Check = std::function<Result<>(EventTypes)>;
    Task<Result<store::Webhook>> change(Owner owner, auth::Scopes scopes, std::string id,
                                        boost::json::object given,
                                        std::optional<std::int64_t> expected, const Check& check,
                                        Actor actor);
    Task<Result<ShownWebhook>> rotate(Owner owner, std::string id, std::chrono::seconds overlap,
                                      Actor actor);
    Task<Result<>> remove(Owner owner, std::string id, std::optional<std::int64_t> expected,
                          Actor actor);

    // Sends an event of the type webhook.test, which is in no log.
    Task<Result<store::Delivery>> test(Owner owner, std::string id, Actor actor);
    Task<Result<store::Delivery>> redeliver(Owner owner, std::string webhook, std::string id);
    Task<Result<api::ReplayView>> replay(Owner owner, std::string id, api::ReplayBody body);

private:
    Task<Result<ShownWebhook>> create_new(Owner owner, auth::Scopes scopes,
                                          api::WebhookDefinition fields,
                                          std::optional<store::KeyClaim> key, Actor actor);
    Result<http::client::Url> target_of(std::string_view url) const;
    Task<Result<>> check_target(const Owner& owner, std::string url) const;
    Task<Result<>> check_quota(const Owner& owner) const;
    store::AuditEvent audit(const Actor& actor, const char* action,
                            const std::string& webhook) const;
    Result<store::WebhookChange> change_of(const store::Webhook& before, auth::Scopes scopes,
                                           const boost::json::object& given) const;

    store::Store& store_;
    const Payloads& payloads_;
    const Sealer& sealer_;
    http::client::Resolver& resolver_;
    const std::shared_ptr<Lookups> lookups_ = std::make_shared<Lookups>();
    const Clock& clock_;
    const Rules rules_;
    const Wake wake_;
};

// Fails with validation_failed if a name is not a type, with its pointer.
Result<EventTypes> read_types(const std::vector<std::string>& names);

// As the user gave them: "chat.run.completed", "automation.*".
std::vector<std::string> names_of_types(const store::Webhook& webhook);

api::WebhookSettings settings_of(const store::Webhook& webhook);
api::WebhookView view(const store::Webhook& webhook);
api::DeliveryView view(const store::Delivery& delivery);

}  // namespace parley::webhook
