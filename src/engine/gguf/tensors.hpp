// The second part of a GGUF file: the name, type, shape and offset of each tensor.
#pragma once

#include "engine/gguf/bytes.hpp"

namespace parley::engine::gguf {

inline constexpr std::uint64_t max_tensors = 65'536;

struct Tensors {
    std::uint64_t parameters = 0;
    std::uint64_t bytes = 0;
    std::string quantization;  // The type that most of the bytes have.
};

// Each tensor is completely inside the file, begins at a multiple of the alignment, and does not
// overlap another.
Result<Tensors> read_tensors(Cursor& cursor, std::uint64_t count, std::uint64_t alignment,
                             std::uint64_t file_bytes);

}  // namespace parley::engine::gguf
