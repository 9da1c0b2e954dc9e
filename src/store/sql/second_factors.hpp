// Second factors of users, as parts of other use cases.
#pragma once

#include "store/accounts.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

// Uses up a code of the user, whose row is locked. Fails with conflict if it is no longer valid.
Result<> use_second_factor(Connection& connection, const User& user, const SecondFactorUse& use);

void replace_recovery_codes(Connection& connection, const std::string& user,
                            const UserChange& wanted);

}  // namespace parley::store::sql
