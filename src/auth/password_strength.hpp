// Whether a password is strong enough. There are no rules of composition: zxcvbn estimates whether
// a million guesses would find it, and the refusal says why.
//
// Threads: from any thread, but judge_strength() takes milliseconds, 0.2 s at worst: never on an
// event loop. PasswordHasher::hash_new() calls it on the thread that hashes.
#pragma once

#include "auth/refusal.hpp"
#include "base/secret.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace parley::auth {

inline constexpr std::size_t shortest_password = 8;    // In characters (code points).
inline constexpr std::size_t longest_password = 1024;  // In bytes, as sent.

// Counts characters, because the strength of few letters of other alphabets is overestimated:
// zxcvbn takes each of their bytes for a random one.
Judged<> judge_length(const Secret& password);

// `known_words` are the names of the user, which are easy to guess. The password must be in NFC,
// and not longer than longest_password.
//
// zxcvbn looks closely at the first 100 bytes only and takes C strings. So each block of 100 bytes
// is judged separately, and the strongest counts: a thousand times 'a' stays weak, and a weak
// beginning does no harm. NUL bytes count as characters that are in no dictionary.
Judged<> judge_strength(const Secret& password, const std::vector<std::string>& known_words);

}  // namespace parley::auth
