// Deliveries: each event that an endpoint wants is one delivery to it, with one id whatever
// happens, which is tried until it succeeds or its tries are spent. A delivery contains the event,
// so that it outlives the event log.
#pragma once

#include "store/event_log.hpp"
#include "store/webhooks.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

struct DeliveryAttempt {
    TimePoint at = {};
    std::optional<std::int64_t> status = {};  // The status of the response, if there was one.
    std::chrono::milliseconds duration{0};
    std::optional<DeliveryError> error = {};
    std::optional<std::string> response = {};  // The beginning of its body.

    bool operator==(const DeliveryAttempt&) const = default;
};

struct Delivery {
    std::string id = {};  // dlv_…
    std::string webhook = {};
    std::string event = {};       // evt_…
    std::string event_type = {};  // Its name.
    std::int64_t number = 0;      // The event's number in its log; 0: it is in no log.
    std::string body = {};        // The event as JSON.
    std::string subject = {};     // The event's subject, and its parent.
    std::string parent = {};
    TimePoint created_at = {};
    // The store's own to keep:
    DeliveryStatus status = DeliveryStatus::pending;
    std::int64_t tries = 0;  // Failed ones since it was last made pending.
    std::optional<TimePoint> next_attempt_at = {};
    std::vector<DeliveryAttempt> attempts = {};  // The newest, oldest first.

    bool operator==(const Delivery&) const = default;
};

// Attempts that are kept of a delivery that is sent again and again.
inline constexpr std::int64_t attempts_kept = 30;

// How an attempt went.
struct DeliveryEnd {
    std::string webhook = {};
    std::string delivery = {};
    DeliveryAttempt attempt = {};
    bool succeeded = false;
    // After a failure, until the next attempt, in the time of the owner; nothing: there is none.
    std::optional<std::chrono::milliseconds> wait = {};
    std::optional<DisabledReason> disables = {};        // Whatever happened before.
    std::optional<std::chrono::seconds> patience = {};  // Only failures for so long disable it.
    // As the courier has seen them; nothing: whatever they are. A failure does not end a delivery
    // that was queued again since, and says nothing about an endpoint with another URL.
    std::optional<std::int64_t> tries = {};
    std::optional<std::string> url = {};
};

// Events that become deliveries.
struct Dispatch {
    std::string webhook = {};
    std::int64_t revision = 0;    // The revision of the webhook that they were chosen for.
    std::int64_t seen = 0;        // Its cursor as it was read,
    std::int64_t new_cursor = 0;  // and as it is to be.
    std::vector<Delivery> deliveries = {};
};

// The deliveries to send to an endpoint now.
struct DueDeliveries {
    std::vector<Delivery> deliveries = {};  // Without their attempts.
    std::optional<TimePoint> next_at = {};  // When the next one is due that is not among them.
};

struct Replay {
    Owner owner = {};
    std::string webhook = {};
    std::vector<Delivery> deliveries = {};  // For events that may not have one yet.
    std::int64_t after = 0;                 // Deliveries of events after this number,
    std::int64_t until = 0;                 // and up to this one.
    bool only_failed = true;                // Not those that have succeeded.
    std::size_t most = 0;
};

struct Replayed {
    std::size_t count = 0;
    std::int64_t until = 0;  // All up to this event; less than was asked for if they are too many.
};

class Deliveries {
public:
    virtual ~Deliveries() = default;

    // The events after `seen` and up to `new_cursor` become deliveries. False, and nothing is
    // changed, if its cursor or its revision is another one by now, or it is not active.
    virtual Task<Result<bool>> dispatch(Dispatch dispatch) = 0;

    // One more delivery, of an event that is in no log. Fails with conflict if it is disabled.
    virtual Task<Result<Delivery>> add(Owner owner, Delivery delivery) = 0;

    // The endpoint, for the courier; nothing if it is not active, or its user is disabled.
    virtual Task<Result<std::optional<Webhook>>> endpoint(std::string webhook) = 0;

    // Pending deliveries that are due, `most` at most: those first that have been due for longest,
    // so that neither new ones nor retries keep the others waiting. Those that were never tried are
    // in the order of the log. `ordered`: only the first that is pending, if it is due; one that is
    // in no log holds up none. `now` is the time of the owner's test clock, if there is one.
    virtual Task<Result<DueDeliveries>> due(std::string webhook, bool ordered, TimePoint now,
                                            std::size_t most) = 0;

    // Gives the endpoint as it is then; nothing if it or the delivery is gone. One that becomes
    // disabled gives up its deliveries as in Webhooks::change().
    virtual Task<Result<std::optional<Webhook>>> settle(DeliveryEnd end) = 0;

    // Some pending deliveries of a webhook fail if it is disabled. True if others may be pending
    // still.
    virtual Task<Result<bool>> give_up(std::string webhook, TimePoint now) = 0;

    virtual Task<Result<Delivery>> find(Owner owner, std::string webhook, std::string id) = 0;

    using Position = std::int64_t;
    // The newest first, behind `after`.
    virtual Task<Result<Page<Delivery, Position>>> list(Owner owner, std::string webhook,
                                                        std::optional<DeliveryStatus> status,
                                                        std::optional<Position> after,
                                                        std::size_t limit) = 0;

    // Makes it pending and due now, with all its tries. Fails with conflict if the webhook is
    // disabled.
    virtual Task<Result<Delivery>> redeliver(Owner owner, std::string webhook, std::string id) = 0;
    virtual Task<Result<Replayed>> replay(Replay replay) = 0;

    // Removes ended deliveries from before this time, `most` at most; returns their number.
    virtual Task<Result<std::size_t>> sweep(TimePoint before, std::size_t most) = 0;
};

}  // namespace parley::store
