// Memory for keys and values is taken as conversations grow, not when the model is loaded.
//
// llama.cpp zeroes the whole cache when it makes it, which takes gigabytes for conversations that
// may never come. The linker puts our function in the place of the one that zeroes
// (cmake/llama.cmake, --wrap): it returns the pages to the system, which gives out zeroed ones when
// they are used. The same call frees the memory of a cache that is cleared later.
//
// An installed llama.cpp in a shared library keeps its own function: then the cache takes all of
// its memory at once, and everything else works the same.
#pragma once

#include <cstddef>

namespace parley::engine::llama {

// Makes all bytes zero. Gives whole pages back to the system if it can.
void zero_lazily(std::byte* begin, std::size_t size);

// Whether a cache has been zeroed so in this process.
bool was_zeroed_lazily();

}  // namespace parley::engine::llama
