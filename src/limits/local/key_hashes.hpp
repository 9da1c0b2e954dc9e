// A cache of the hashes of recent keys, per thread. The keyed hash, which keeps attackers from
// choosing the places of their keys, costs a quarter of a decision, and most keys are repeated.
//
// Threads: each has its own cache.
#pragma once

#include "limits/key.hpp"
#include "limits/local/layout.hpp"
#include "limits/local/shard.hpp"

namespace parley::limits::local {

// The hash of a key, with the file's secret for its kind.
KeyHash hash_of(const Key& key, const Header& header);

}  // namespace parley::limits::local
