// A limiter counts requests by class and key, and is exact: in no stretch of time as long as the
// window are more than N requests of a class and key admitted, wherever it begins, also across a
// restart and a crash; and none is refused while fewer than N were admitted in the last window.
// What "in the last window" means at its edges is said in window.hpp.
//
// A request may need room in two keys at once (Auth: the address and the account name). Both are
// charged or neither. A refused request costs nothing: no count, no memory.
//
// Nothing is ever given back, so the caller charges once it knows the class. A route that may turn
// out to count in another class (an idempotent replay is General, not chat) is peeked at first, to
// refuse early and without reading a body, and admitted when the class is known: only admit()
// decides, since others may have been admitted in between.
//
// Every limiter passes the tests in limiter_contract.hpp.
//
// Threads: one limiter serves all; its methods may be called from any event loop.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "limits/classes.hpp"
#include "limits/key.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace parley::limits {

// What became of a request, and how its key stands now. With two keys: how the tighter one stands,
// which is the one with less room, or where they are equal the one that waits longer.
struct Decision {
    Class of = Class::general;
    bool admitted = false;
    std::uint32_t limit = 0;
    std::uint32_t remaining = 0;
    std::chrono::seconds window{};
    std::chrono::seconds reset{};        // Until one more is free, rounded up; 0: all are free.
    std::chrono::seconds retry_after{};  // Rounded up, so that waiting is enough; 0 if admitted.
    std::int64_t reset_at = 0;           // When one more is free, in Unix seconds, rounded up.
};

class Limiter {
public:
    virtual ~Limiter() = default;

    virtual const Limits& limits() const = 0;

    // Charges the request if all its keys have room. Fails with overloaded where a key is not known
    // yet and nothing more can be remembered; known keys are served on.
    virtual Task<Result<Decision>> admit(Class of, Keys keys) = 0;

    // What admit() would say now, without charging. Promises nothing.
    virtual Task<Result<Decision>> peek(Class of, Keys keys) = 0;

    // The same without a task, which costs more than a decision. Nothing where that would mean to
    // wait for somebody else; then nothing is charged, and the task must be asked.
    virtual std::optional<Result<Decision>> admit_now(Class of, const Keys& keys) = 0;
    virtual std::optional<Result<Decision>> peek_now(Class of, const Keys& keys) = 0;
};

}  // namespace parley::limits
