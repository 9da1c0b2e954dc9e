// Several texts in one blob, byte for byte: before each stands its length, as four bytes, the
// lowest first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store::sql {

inline constexpr std::size_t packed_length_size = 4;

void append_packed(std::string& out, std::string_view text);
std::string pack(std::span<const std::string> texts);

// Takes the first text off the front. Throws Failure where this is no such blob.
std::string_view take_packed(std::string_view& packed);
std::vector<std::string> unpack(std::string_view packed);

}  // namespace parley::store::sql
