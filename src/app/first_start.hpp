// What a server needs before anybody can use it: the public token of the web page, and, while there
// is no operator, the link by which one becomes it. There is no default account and no default
// secret.
#pragma once

#include "app/data_directory.hpp"
#include "auth/personal_tokens.hpp"
#include "auth/setup_code.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>

namespace parley::app {

// The web page's client token: the one in the data directory, where the store knows it, else a new
// one.
Result<std::string> client_token(DataDirectory& directory, store::Store& store,
                                 auth::PersonalTokens& tokens);

// Nothing where there is an operator. The link goes to whoever looks at the terminal; without one,
// to a file that only this user can read.
Result<std::optional<std::string>> setup_link(DataDirectory& directory, store::Store& store,
                                              const auth::SetupCode& code, const std::string& url);

}  // namespace parley::app
