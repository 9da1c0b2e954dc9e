// Recovery codes: each replaces a code of the authenticator app one time. They have 120 random
// bits, so that a fast hash of them reveals nothing.
#pragma once

#include "base/secret.hpp"
#include "store/accounts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace parley::auth {

inline constexpr std::size_t recovery_code_count = 10;

// "abcd-efgh-ijkl-mnop-qrst-uvwx"
std::vector<Secret> new_recovery_codes();

// The hash of a code as it was entered: spaces, hyphens and case do not count.
store::CodeHash recovery_code_hash(std::string_view code);

// A code without spaces and hyphens, in lower case.
std::string normal_code(std::string_view code);

}  // namespace parley::auth
