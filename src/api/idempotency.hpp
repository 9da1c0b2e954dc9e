// The header field Idempotency-Key: by which a client can send a request again
// without doing it twice.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "http/message.hpp"
#include "store/idempotency.hpp"

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

}  // namespace parley::api
