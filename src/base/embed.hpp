// Embeds files in the program, unchanged. The assembler puts a file between two symbols: a compiler
// would need minutes, and gigabytes, for 3 MB written as numbers.
#pragma once

#include <cstddef>
#include <string_view>

#define PARLEY_EMBED(symbol, file)                                                               \
    __asm__(".pushsection .rodata\n.global " #symbol "_begin\n.global " #symbol "_end\n" #symbol \
            "_begin:\n.incbin \"" file "\"\n" #symbol                                            \
            "_end:\n.byte 0\n"                                                                   \
            ".popsection\n");                                                                    \
    extern "C" const char symbol##_begin[], symbol##_end[]  // NOLINT

#define PARLEY_EMBEDDED(symbol) parley::between(symbol##_begin, symbol##_end)

namespace parley {

inline std::string_view between(const char* begin, const char* end)
{
    return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace parley
