// The tokens and logins that end because their user has changed.
#pragma once

#include "store/accounts.hpp"
#include "store/sql/event_log.hpp"

namespace parley::store::sql {

// All logins of a user but the one to keep, and all personal and test tokens, as far as the change
// wants it. The user's log is told.
void end_tokens(Connection& connection, const std::string& user, const UserChange& wanted,
                const std::optional<Occasion>& occasion);

}  // namespace parley::store::sql
