// Bytes that nobody can guess, and a comparison that tells nobody how far it got.
//
// Threads: from any thread; each keeps a store of its own, so that an id costs no system call.
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

// Takes the same time wherever two texts of one length differ. The length itself is no secret.
bool constant_time_equal(std::string_view a, std::string_view b);

}  // namespace parley
