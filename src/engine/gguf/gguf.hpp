// A GGUF file is a language model: metadata, vocabulary and tensors. Files come from untrusted
// sources, so each is checked here before other code uses it: every count, length and offset is
// compared with the size of the file, and every fault has a message.
//
// Threads: plain functions and values, to be used from any thread.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace parley::engine::gguf {

class Bytes;

// The metadata of a valid file.
struct Facts {
    std::string architecture = {};  // "llama"
    std::string name = {};          // Empty if the file has none.
    std::string quantization = {};  // "q4_1": the type that most of the weights have.
    std::string chat_template = {};
    bool embeds = false;           // It is made for vectors of texts, not for conversations.
    bool is_encoder = false;       // It embeds, and it cannot predict tokens.
    bool embeds_in_steps = false;  // The vector of a text is that of its last token, read in order.
    std::uint64_t parameters = 0;
    std::uint64_t context = 0;  // Tokens that the model was made for.
    std::uint64_t layers = 0;
    std::uint64_t embedding = 0;
    std::uint64_t heads = 0;
    std::uint64_t vocabulary = 0;
    std::uint64_t cache_per_token = 0;  // Cached numbers per token, in all layers.
    std::uint64_t tensors = 0;
    std::uint64_t tensor_bytes = 0;
    std::uint64_t file_bytes = 0;
};

// Fails with a message that names the file; content of the file is escaped in it.
Result<Facts> examine(const std::filesystem::path& file);

// The same for bytes from any source; the message does not name it: "it does not begin with GGUF".
Result<Facts> examine(Bytes& bytes);

}  // namespace parley::engine::gguf
