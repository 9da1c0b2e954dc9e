// Several texts in one blob: each is preceded by its length, four bytes, little-endian.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store::sql {

inline constexpr std::size_t packed_length_size = 4;

void append_packed(std::string& out, std::string_view text);
std::string pack(std::span<const std::string> texts);

// Removes and returns the first text. Throws Failure if the blob is malformed.
std::string_view take_packed(std::string_view& packed);
std::vector<std::string> unpack(std::string_view packed);

}  // namespace parley::store::sql
