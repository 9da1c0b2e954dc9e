// Idempotency keys: a client can send a request again without a second effect. A key is stored in
// the transaction of its request, with a fingerprint of the request; each owner has separate keys.
// It outlives the object that it was used for, so that a retry never has a second effect.
//
// A use case with a claim: if the key is bound to the same fingerprint, it changes nothing and
// returns the object of the key (not_found if that was deleted); if the key is bound to another
// fingerprint, it fails with idempotency_mismatch. An expired key is free. So is the key of a run
// that failed temporarily before its first text (Run::frees_key): the same request then answers the
// same question again, and the key names the new run.
#pragma once

#include "base/clock.hpp"
#include "domain/chat.hpp"

#include <array>
#include <string>

namespace parley::store {

using Fingerprint = std::array<unsigned char, 32>;  // SHA-256.

struct KeyClaim {
    std::string key;
    Fingerprint fingerprint{};
    TimePoint now;
    TimePoint expires_at;
};

// A claim for an object that does not contain its owner.
struct OwnClaim {
    Owner owner;
    KeyClaim claim;
};

// The kinds of objects that a key can be bound to.
enum class Keyed { run, session, token, user, automation, automation_run, webhook };

constexpr auto names_of(Keyed)
{
    using fields::Named;
    return std::array{Named{Keyed::run, "run"},
                      Named{Keyed::session, "session"},
                      Named{Keyed::token, "token"},
                      Named{Keyed::user, "user"},
                      Named{Keyed::automation, "automation"},
                      Named{Keyed::automation_run, "automation_run"},
                      Named{Keyed::webhook, "webhook"}};
}

}  // namespace parley::store
