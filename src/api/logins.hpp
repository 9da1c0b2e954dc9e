// Logging in and out over HTTP.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// The account that a login request is counted by, beside its address: the normalised name.
Task<std::optional<Account>> account_named_in_body(Call& call);

}  // namespace parley::api
