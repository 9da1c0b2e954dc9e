// Webhooks as the store keeps them: the endpoints of a user, and up to which event each of them has
// its deliveries (deliveries.hpp). For everybody but the owner a webhook does not exist.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "domain/webhook.hpp"
#include "store/audit.hpp"
#include "store/idempotency.hpp"
#include "store/old_secret.hpp"
#include "store/page.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

// Sealed by the rules: the store never sees a secret.
struct WebhookSecret {
    std::string sealed = {};
    std::string hint = {};
    OldSecrets old = {};  // Sealed, too; the one that was replaced last comes first.

    bool operator==(const WebhookSecret&) const = default;
};

struct Webhook {
    std::string id = {};  // whk_…
    Owner owner = {};
    std::string url = {};
    std::string event_types = {};  // As they were given, separated by commas.
    std::uint8_t scopes = 0;       // The scopes of the token that chose them.
    WebhookPayload payload = WebhookPayload::thin;
    bool ordered = false;
    std::string description = {};
    std::string metadata = {};  // JSON.
    WebhookState state = WebhookState::active;
    std::optional<DisabledReason> disabled_reason = {};
    WebhookSecret secret = {};
    TimePoint created_at = {};
    TimePoint updated_at = {};
    // The store's own to keep:
    std::int64_t revision = 1;  // Grows with each change of any field above.
    std::int64_t cursor = 0;    // Events up to this number have their deliveries.
    std::optional<TimePoint> last_success_at = {};
    std::optional<TimePoint> last_failure_at = {};
    std::optional<TimePoint> failing_since = {};  // The first failure since the last success.

    bool operator==(const Webhook&) const = default;
};

struct WebhookChange {
    Webhook webhook = {};
    std::int64_t seen = 0;  // The revision that was changed.
    Cause cause = {};
    std::optional<AuditEvent> audit = {};
};

// An endpoint that may have something to be sent, or to be given up.
struct ActiveWebhook {
    std::string id = {};
    Owner owner = {};
};

class Webhooks {
public:
    virtual ~Webhooks() = default;

    struct Created {
        Webhook webhook;
        bool replayed = false;  // The key was bound already: this is what it was bound to.
    };
    // It hears the events after its creation. Fails with quota_reached if the owner has `most`
    // already; with not_found if the user is gone; with a key as idempotency.hpp says.
    virtual Task<Result<Created>> create(Webhook webhook, std::size_t most,
                                         std::optional<KeyClaim> key, Cause cause,
                                         std::optional<AuditEvent> audit = {}) = 0;

    // What an earlier request with this key has created; nothing if the key is free. Fails as
    // create() does with a key.
    virtual Task<Result<std::optional<Webhook>>> find_replay(Owner owner, KeyClaim key) = 0;

    virtual Task<Result<Webhook>> find(Owner owner, std::string id) = 0;

    // The newest first, behind `after`, if that is given.
    using Position = std::int64_t;
    virtual Task<Result<Page<Webhook, Position>>> list(Owner owner, std::optional<Position> after,
                                                       std::size_t limit) = 0;

    // Fails with precondition_failed if its revision is another one than was seen. One that becomes
    // disabled gives up its pending deliveries; if they are many, those that are left are to be
    // given up by Deliveries::give_up(). One that becomes active again has given up all of them,
    // hears the events from now on, and its earlier failures are forgotten.
    virtual Task<Result<Webhook>> change(WebhookChange change) = 0;

    // With its deliveries. If they are many, it is disabled first, and other changes come in
    // between. A removal that fails later leaves a disabled webhook without some of its deliveries,
    // which can be removed again. Fails with precondition_failed if `expected` is given and not its
    // revision, also if it is changed while its deliveries are deleted; without `expected` it is
    // removed all the same.
    virtual Task<Result<>> remove(Owner owner, std::string id, std::optional<std::int64_t> expected,
                                  TimePoint now, Cause cause,
                                  std::optional<AuditEvent> audit = {}) = 0;

    // The webhooks of all users who are not disabled, oldest first, behind `after`.
    virtual Task<Result<Page<ActiveWebhook, Position>>> active(std::optional<Position> after,
                                                               std::size_t limit) = 0;

    // Disabled webhooks that have pending deliveries still, as after a crash: they are to be given
    // up by Deliveries::give_up().
    virtual Task<Result<std::vector<ActiveWebhook>>> giving_up(std::size_t most) = 0;
};

}  // namespace parley::store
