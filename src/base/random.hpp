// Cryptographically random bytes, and a comparison in constant time.
//
// Threads: from any thread; each has its own buffer of random bytes, so that an id needs no system
// call.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace parley {

void random_bytes(std::span<std::byte> out);

// Appends `count` characters, each of the 62 equally likely.
void append_random_base62(std::string& out, std::size_t count);
std::string random_base62(std::size_t count);

// Takes the same time wherever two texts of equal length differ. The length is not secret.
bool constant_time_equal(std::string_view a, std::string_view b);

}  // namespace parley
