// Keys by which a client can send a request again without doing it twice. A key is bound in the
// transaction of what it stands for, to a fingerprint of the request; each owner has keys of their
// own. It outlives what it was bound to, so that a retry never does anything twice.
//
// A use case that takes a claim: where the key is bound to the same fingerprint, it changes nothing
// and gives what the key was bound to (not_found where that was deleted since); where it is bound
// to another one, it fails with idempotency_mismatch. A key that has expired is free. So is one
// whose run failed in a passing way before it had said anything (Run::frees_key): the same request
// then answers the same question again, and the key names the new run.
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

// A claim of a request that makes something which does not name its maker.
struct OwnClaim {
    Owner owner;
    KeyClaim claim;
};

// The kinds of objects that a key can be bound to.
enum class Keyed { run, session, token, user };

constexpr auto names_of(Keyed)
{
    using fields::Named;
    return std::array{Named{Keyed::run, "run"}, Named{Keyed::session, "session"},
                      Named{Keyed::token, "token"}, Named{Keyed::user, "user"}};
}

}  // namespace parley::store
