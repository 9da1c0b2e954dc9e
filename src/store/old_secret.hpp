// A secret that was replaced and is still valid for a while, so that callers and receivers can
// change over. Several may overlap.
#pragma once

#include "base/clock.hpp"

#include <string>
#include <vector>

namespace parley::store {

struct OldSecret {
    std::string secret = {};  // In the same form as the one that has replaced it.
    TimePoint until = {};     // Valid before this time.

    bool operator==(const OldSecret&) const = default;
};

using OldSecrets = std::vector<OldSecret>;

}  // namespace parley::store
