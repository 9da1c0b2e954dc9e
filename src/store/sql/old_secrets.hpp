// Replaced secrets in a column of their own: times and secrets in turn, packed.
#pragma once

#include "store/old_secret.hpp"
#include "store/sql/connection.hpp"

#include <optional>
#include <string>

namespace parley::store::sql {

// The row must have the columns old_secrets, old_secret and old_until_ms. The latter are of earlier
// versions, which kept one secret.
OldSecrets old_secrets_of(const Query& row);

// Nothing if there are none.
std::optional<std::string> packed_old_secrets(const OldSecrets& secrets);

void round_times(OldSecrets& secrets);

}  // namespace parley::store::sql
