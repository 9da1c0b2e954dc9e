// Set-up of a new server: the public token of the web page, and, while there is no operator, the
// link to create one. There is no default account and no default secret.
#pragma once

#include "app/data_directory.hpp"
#include "auth/personal_tokens.hpp"
#include "auth/setup_code.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>

namespace parley::app {

// The client token of the web page: the one in the data directory if the store knows it, else a new
// one.
Result<std::string> client_token(DataDirectory& directory, store::Store& store,
                                 auth::PersonalTokens& tokens);

// Nothing if there is an operator. The link is printed on the terminal; without a terminal, it is
// written to a file that only this user can read.
Result<std::optional<std::string>> setup_link(DataDirectory& directory, store::Store& store,
                                              const auth::SetupCode& code, const std::string& url);

}  // namespace parley::app
