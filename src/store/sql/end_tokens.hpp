// The tokens and logins that end because their user has changed.
#pragma once

#include "store/accounts.hpp"
#include "store/sql/event_log.hpp"

namespace parley::store::sql {

// Ends all logins of a user except the one to keep, and all personal and test tokens if the change
// says so. Adds events to the user's log.
void end_tokens(Connection& connection, const std::string& user, const UserChange& wanted,
                const std::optional<Occasion>& occasion);

}  // namespace parley::store::sql
