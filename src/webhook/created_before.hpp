// Retries of a request that creates a webhook or an automation. A retry gets what its request has
// created, even if a new one would be refused by now.
//
// Threads: pure.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "store/idempotency.hpp"

#include <optional>
#include <utility>

namespace parley::webhook {

// Whether a request failed because of what it asks for. False if the server failed, or could not do
// it at the moment.
bool is_refusal(const Error& error);

// For a request with a key that created nothing, because of `error`: what an earlier request with
// this key has created. Otherwise fails with `error`, or as find_replay() does: a client that is
// told of a refusal although the key is bound would take it for new.
//
// Nothing is looked up if `error` is no refusal. The outcome of a change may then be unknown, and a
// row that a read sees may be lost by a failover
// (docs/decisions/0085-commits-without-a-standby.md).
template <class Object, class Objects>
Task<Result<Object>> created_before(Objects& objects, Owner owner, store::KeyClaim key, Error error)
{
    if (!is_refusal(error)) co_return error;
    auto before = co_await objects.find_replay(std::move(owner), std::move(key));
    if (!before) co_return before.error();
    if (!*before) co_return error;
    co_return std::move(**before);
}

}  // namespace parley::webhook
