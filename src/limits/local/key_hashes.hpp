// The hashes of the keys that a thread met lately. A hash that keeps attackers from choosing where
// their keys lie costs a quarter of a decision, and most keys come again and again.
//
// Threads: each has hashes of its own.
#pragma once

#include "limits/key.hpp"
#include "limits/local/layout.hpp"
#include "limits/local/shard.hpp"

namespace parley::limits::local {

// Of a key, by the secret that the file has for its kind.
KeyHash hash_of(const Key& key, const Header& header);

}  // namespace parley::limits::local
