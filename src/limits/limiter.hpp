// A limiter counts requests by class and key, and is exact: in no stretch of time as long as the
// window are more than N requests of a class and key admitted, wherever it begins, also across a
// restart and a crash; and none is refused while fewer than N were admitted in the last window.
// What "in the last window" means at its edges is said in window.hpp.
//
// A request may need room in several keys at once (an IPv6 address and its network; a user and a
// token with a number of its own). All are charged or none. A refused request costs nothing: no
// count, no memory.
//
// A request is charged before its body is read. If the body shows that it counts elsewhere (an
// idempotent replay is General, not chat), its admission is given back and is free at once. Until
// then it counts.
//
// Every limiter passes the tests in limiter_contract.hpp.
//
// Threads: one limiter serves all; its methods may be called from any event loop.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "limits/classes.hpp"
#include "limits/key.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace parley::limits {

// By which an admission can be given back; only the limiter that made it can read it.
struct Receipt {
    std::array<std::uint64_t, Keys::most> marks{};
    std::uint8_t shared = 0;
};

// What became of a request, and how its key stands now. With several keys: how the tightest one
// stands, which is the one with the least room, or if they are equal the one that waits longest.
struct Decision {
    Class of = Class::general;
    bool admitted = false;
    std::uint32_t limit = 0;
    std::uint32_t remaining = 0;
    std::chrono::seconds window{};
    std::chrono::seconds reset{};          // Until one more is free, rounded up; 0: all are free.
    std::chrono::seconds retry_after{};    // Rounded up, so that waiting is enough; 0 if admitted.
    std::int64_t reset_at = 0;             // When one more is free, in Unix seconds, rounded up.
    Key::Kind tightest = Key::Kind::user;  // Whose numbers these are.
    Receipt receipt = {};
};

class Limiter {
public:
    virtual ~Limiter() = default;

    virtual const Limits& limits() const = 0;

    // Charges the request if all its keys have room. Fails with overloaded if a user, token or
    // login is not known yet and nothing more can be remembered; known keys are served on. Names
    // and addresses that find no place of their own share one.
    virtual Task<Result<Decision>> admit(Class of, Keys keys) = 0;

    // Takes an admission back, with the class and the keys that it was made by; once. Nothing
    // happens if it is out of the window.
    virtual Task<Result<>> give_back(Class of, Keys keys, Receipt receipt) = 0;

    // What admit() would say now, without charging. Promises nothing.
    virtual Task<Result<Decision>> peek(Class of, Keys keys) = 0;

    // The same without a task, which costs more than a decision. Nothing where that would mean to
    // wait for somebody else; then nothing is charged, and the task must be asked.
    virtual std::optional<Result<Decision>> admit_now(Class of, const Keys& keys) = 0;
    virtual std::optional<Result<Decision>> peek_now(Class of, const Keys& keys) = 0;
};

}  // namespace parley::limits
