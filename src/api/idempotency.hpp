// The header field Idempotency-Key: by which a client can send a request again
// without doing it twice.
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

// Nothing where there is none. A key in quotes and the same one without are the same. Fails with
// invalid_idempotency_key.
Result<std::optional<std::string>> idempotency_key(const http::RequestHead& head);

// What a request claims with its key: `request` is its text without what may differ between a
// request and its retry, `operation` what it asks for. Nothing where it has no key.
Result<std::optional<store::KeyClaim>> key_claim(const http::RequestHead& head,
                                                 std::string_view operation,
                                                 std::string_view request, const Clock& clock);

// The same for what a caller makes that does not belong to a chat. Nothing also for a caller that
// is no user, such as the command line: it has no keys.
Result<std::optional<store::OwnClaim>> own_claim(const SignedIn& caller,
                                                 const http::RequestHead& head,
                                                 std::string_view operation,
                                                 std::string_view request, const Clock& clock);

// JSON in one form, whatever the order of its keys was.
std::string canonical(const boost::json::value& value);

// Tells the client that it got what an earlier request has made.
inline void tell_if_replayed(bool replayed, CommonHeaders& common_headers)
{
    if (replayed) common_headers.add("Idempotency-Replayed", "true");
}

}  // namespace parley::api
