// The bodies of deliveries. The room of the API implements it, so that an event has the same bytes
// here as in the event log, and an object the same form as in a response.
#pragma once

#include "base/task.hpp"
#include "store/deliveries.hpp"

#include <string>

namespace parley::webhook {

class Payloads {
public:
    virtual ~Payloads() = default;

    // An event of the log as JSON.
    virtual std::string event(const Owner& owner, const store::Event& event) const = 0;

    // One that is in no log: of the type webhook.test, with the ids of the delivery.
    virtual std::string test_event(const Owner& owner, const store::Delivery& delivery,
                                   const Cause& cause) const = 0;

    // The event of a delivery, with the object that it is about as it is now. Fails if the store
    // cannot be read; an object that is gone is null.
    virtual Task<Result<std::string>> with_snapshot(const store::Webhook& webhook,
                                                    const store::Delivery& delivery) const = 0;
};

}  // namespace parley::webhook
