// Webhooks send the events of a user's log to URLs of the user. This room has the rules: which URLs
// are allowed (target.hpp), the use cases of the interface (webhooks.hpp), the task that makes and
// sends deliveries (couriers.hpp), one attempt (sender.hpp), signatures (signature.hpp) and the
// times of retries (retry.hpp), and how secrets are stored (sealer.hpp). The store decides what is
// sent and remembers how it went (store/deliveries.hpp).
#pragma once

#include "webhook/couriers.hpp"
#include "webhook/webhooks.hpp"
