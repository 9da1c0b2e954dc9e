// Which replaced secrets are still valid, of webhooks and of hooks.
//
// Threads: pure.
#pragma once

#include "base/error.hpp"
#include "store/old_secret.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::webhook {

// Every delivery is signed with all of them, and every call is compared with all of them.
inline constexpr std::size_t most_old_secrets = 5;

// The replaced secrets after one more rotation. Those of earlier ones stay valid until their time,
// but without an overlap all of them end. Fails with conflict if too many are still valid.
Result<store::OldSecrets> old_after_rotation(const store::OldSecrets& before, std::string replaced,
                                             std::chrono::seconds overlap, TimePoint now);

// Those that are valid now.
std::vector<std::string_view> valid_ones(const store::OldSecrets& secrets, TimePoint now);

}  // namespace parley::webhook
