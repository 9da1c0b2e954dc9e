// The limits of sessions and messages. More than that is left out of an import, and listed in
// `skipped`: other requests could not have made it either.
#pragma once

#include "moving/conversation.hpp"

namespace parley::moving {

inline constexpr std::size_t max_instruction_bytes = 65'536;
inline constexpr std::size_t max_metadata_entries = 16;
inline constexpr std::size_t max_metadata_key = 64;     // Characters.
inline constexpr std::size_t max_metadata_value = 512;  // Characters.
inline constexpr std::size_t max_output_bytes =
    std::size_t{4} * 1024 * 1024;  // No model writes more.

void keep_to_bounds(Conversation& conversation);

}  // namespace parley::moving
