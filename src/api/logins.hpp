// Logging in and out over HTTP.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Whom a request to log in counts against, beside its address: the name as it is compared.
Task<std::optional<Account>> account_named_in_body(Call& call);

}  // namespace parley::api
