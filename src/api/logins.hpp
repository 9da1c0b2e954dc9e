// Logging in and out over HTTP.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Asks for the services auth::Logins, auth::Accounts, auth::SetupCode and store::Store.
std::vector<Route> login_routes();

// Whom a request to log in counts against, beside its address: the name as it is compared.
Task<std::optional<Account>> account_named_in_body(Call& call);

}  // namespace parley::api
