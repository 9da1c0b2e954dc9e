// A limiter counts requests by class and key, and is exact: in every period of the length of the
// window at most N requests of a class and key are admitted, also across a restart and a crash; and
// none is refused while fewer than N were admitted in the last window. window.hpp defines the exact
// bounds of "the last window".
//
// A request may be counted by several keys at once (an IPv6 address and its network; a user and a
// token with its own limit). All are charged or none. A refused request costs nothing: no count, no
// memory.
//
// A request is charged before its body is read. If the body shows that it belongs to another class
// (an idempotent replay is General, not chat), its admission is given back and is free at once; if
// several servers share the limits, another one may refuse for a moment longer. Until then it
// counts. Admissions of class General, and those of account names and logins, are never given back:
// who is refused by them is refused until the oldest one leaves the window.
//
// Every limiter passes the tests in limiter_contract.hpp.
//
// Threads: one limiter serves all; its methods may be called from any event loop.
#pragma once

#include "base/error.hpp"
#include "base/ready.hpp"
#include "base/task.hpp"
#include "limits/classes.hpp"
#include "limits/key.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace parley::limits {

// Identifies an admission, to give it back; only the limiter that made it can read it.
struct Receipt {
    std::array<std::uint64_t, Keys::most> marks{};
    std::uint8_t shared = 0;
};

// The decision about a request, and the state of its key. With several keys, the state of the
// tightest one: the one with the fewest requests remaining, or, if they are equal, with the longest
// wait.
struct Decision {
    Class of = Class::general;
    bool admitted = false;
    std::uint32_t limit = 0;
    std::uint32_t remaining = 0;
    std::chrono::seconds window{};
    std::chrono::seconds reset{};          // Until one more is free, rounded up; 0: all are free.
    std::chrono::seconds retry_after{};    // Rounded up, so that waiting is enough; 0 if admitted.
    std::int64_t reset_at = 0;             // When one more is free, in Unix seconds, rounded up.
    Key::Kind tightest = Key::Kind::user;  // The key of these numbers.
    Receipt receipt = {};
};

class Limiter {
public:
    virtual ~Limiter() = default;

    virtual const Limits& limits() const = 0;

    // Charges the request if all its keys have room. Fails with overloaded if a user, token or
    // login is new and the table is full; known keys still work. If the table of names or addresses
    // is full, new ones share one place.
    virtual Ready<Result<Decision>> admit(Class of, const Keys& keys) = 0;

    // Gives an admission back, with its class and keys; only once. No effect if it is no longer in
    // the window.
    virtual Task<Result<>> give_back(Class of, Keys keys, Receipt receipt) = 0;

    // The decision that admit() would make now, without charging. Not a promise.
    virtual Ready<Result<Decision>> peek(Class of, const Keys& keys) = 0;
};

}  // namespace parley::limits
