// Whether a password is good enough to be somebody's. There are no rules of composition: a program
// that guesses (zxcvbn) says whether a million tries would find it, and the refusal says why.
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

// In bytes, as sent.
inline constexpr std::size_t shortest_password = 8;
inline constexpr std::size_t longest_password = 1024;

Judged<> judge_length(const Secret& password);

// `known_words` are what a guesser would try first for this user: their names. The password is
// expected in NFC, and not longer than longest_password.
//
// zxcvbn looks closely at the first 100 bytes only and takes C strings. So each 100 bytes are
// judged for themselves, and the strongest counts: 'a' a thousand times stays as weak as it is, and
// a weak beginning does no harm. NUL bytes count as characters that are in no dictionary.
Judged<> judge_strength(const Secret& password, const std::vector<std::string>& known_words);

}  // namespace parley::auth
