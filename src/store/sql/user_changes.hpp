// Changes to users, shared by several use cases.
#pragma once

#include "store/accounts.hpp"
#include "store/refusals.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/event_log.hpp"

namespace parley::store::sql {

bool is_there_an_operator(Connection& connection);

// The columns of a one-time code.
std::optional<CodeHash> code_of(const std::optional<Invitation>& invitation);
std::optional<TimePoint> expiry_of(const std::optional<Invitation>& invitation);

// Does `work`, which gives how many users it touched. Where that leaves no operator it fails, and
// with that it is undone.
template <class Work>
Result<> but_for_the_last_operator(Connection& connection, Work work)
{
    const bool had_operator = is_there_an_operator(connection);
    if (work() == 0) return not_found("The user");
    if (had_operator && !is_there_an_operator(connection)) return last_operator();
    return {};
}

// As Accounts::change_user.
Result<User> apply_change(Connection& connection, const std::string& id, const UserChange& wanted,
                          const std::optional<Occasion>& occasion);

}  // namespace parley::store::sql
