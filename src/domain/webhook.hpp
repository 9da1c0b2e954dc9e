// The nouns of webhooks: endpoints that hear of events, and the deliveries to them.
#pragma once

#include "fields/fields.hpp"

#include <array>

namespace parley {

// The body of a delivery: the event as it is in the log, or with the object that it is about.
enum class WebhookPayload { thin, full };

constexpr auto names_of(WebhookPayload)
{
    using fields::Named;
    return std::array{Named{WebhookPayload::thin, "thin"}, Named{WebhookPayload::full, "full"}};
}

enum class WebhookState { active, disabled };

constexpr auto names_of(WebhookState)
{
    using fields::Named;
    return std::array{Named{WebhookState::active, "active"},
                      Named{WebhookState::disabled, "disabled"}};
}

// `gone`: the endpoint answered 410. `failures`: it has failed for days.
enum class DisabledReason { user, gone, failures };

constexpr auto names_of(DisabledReason)
{
    using fields::Named;
    return std::array{Named{DisabledReason::user, "user"}, Named{DisabledReason::gone, "gone"},
                      Named{DisabledReason::failures, "failures"}};
}

enum class DeliveryStatus { pending, succeeded, failed };

constexpr auto names_of(DeliveryStatus)
{
    using fields::Named;
    return std::array{Named{DeliveryStatus::pending, "pending"},
                      Named{DeliveryStatus::succeeded, "succeeded"},
                      Named{DeliveryStatus::failed, "failed"}};
}

// Why there was no response.
enum class DeliveryError {
    timeout,
    connection_refused,
    tls,
    name_not_found,
    address_refused,
    bad_response,
};

constexpr auto names_of(DeliveryError)
{
    using fields::Named;
    return std::array{Named{DeliveryError::timeout, "timeout"},
                      Named{DeliveryError::connection_refused, "connection_refused"},
                      Named{DeliveryError::tls, "tls"},
                      Named{DeliveryError::name_not_found, "name_not_found"},
                      Named{DeliveryError::address_refused, "address_refused"},
                      Named{DeliveryError::bad_response, "bad_response"}};
}

}  // namespace parley
