// The header field Idempotency-Key: lets a client send a request again without a second effect.
#pragma once

#include "api/caller.hpp"
#include "api/common_headers.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "http/message.hpp"
#include "store/idempotency.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace parley::api {

// Nothing if there is no key. A key with quotes equals the same key without. Fails with
// invalid_idempotency_key.
Result<std::optional<std::string>> idempotency_key(const http::RequestHead& head);

// The key of a call to a hook: a webhook-id that is signed, else Idempotency-Key, webhook-id or
// X-GitHub-Delivery, in this order. Nothing if there is none of them. Fails with
// invalid_idempotency_key.
Result<std::optional<std::string>> delivery_key(const http::RequestHead& head,
                                                std::string_view signed_id = {});

// The same for a call that is signed as GitHub does it: only X-GitHub-Delivery.
Result<std::optional<std::string>> github_delivery_key(const http::RequestHead& head);

// The claim of a request with a key: `request` is its text without the parts that may differ in a
// retry, `operation` is the operation. Nothing without a key.
Result<std::optional<store::KeyClaim>> key_claim(const http::RequestHead& head,
                                                 std::string_view operation,
                                                 std::string_view request, const Clock& clock);

// The same for objects outside of chats. Also nothing for a caller without a user, such as the
// command line: it has no keys.
Result<std::optional<store::OwnClaim>> own_claim(const SignedIn& caller,
                                                 const http::RequestHead& head,
                                                 std::string_view operation,
                                                 std::string_view request, const Clock& clock);

// JSON in canonical form, independent of the order of its keys.
std::string canonical(const boost::json::value& value);

// Tells the client that the response is the result of an earlier request.
inline void tell_if_replayed(bool replayed, CommonHeaders& common_headers)
{
    if (replayed) common_headers.add("Idempotency-Replayed", "true");
}

}  // namespace parley::api
