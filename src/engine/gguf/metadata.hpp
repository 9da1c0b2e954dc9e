// The first part of a GGUF file: pairs of a name and a value of one of thirteen types.
#pragma once

#include "engine/gguf/bytes.hpp"

#include <map>
#include <optional>
#include <vector>

namespace parley::engine::gguf {

struct Value {
    std::optional<std::uint64_t> number;  // A value of any whole type that is not negative.
    std::string text;
    std::vector<std::uint64_t> numbers;  // The items of a short list of such.
    std::uint64_t count = 0;             // The length of any list.
    bool is_list_of_text = false;
};

// The entries that are used here; a vocabulary is only counted.
using Metadata = std::map<std::string, Value, std::less<>>;

inline constexpr std::uint64_t max_entries = 65'536;
inline constexpr std::size_t max_key_length = 1024;
inline constexpr std::uint64_t max_text_length = std::uint64_t{16} << 20U;
inline constexpr std::uint64_t max_list_length = std::uint64_t{1} << 24U;
inline constexpr std::size_t max_kept_text = std::size_t{1} << 20U;
inline constexpr std::uint64_t max_kept_numbers = 1024;

// "it ends in the middle of its header": for all that reads it.
Error ends_early(const Cursor& cursor);

Result<Metadata> read_metadata(Cursor& cursor, std::uint64_t count);

}  // namespace parley::engine::gguf
