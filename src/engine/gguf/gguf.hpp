// A GGUF file is a language model: facts about it, its vocabulary, and the tensors that it computes
// with. It comes from anywhere, so it is examined here before anything else trusts it: every count,
// length and offset is held against the size of the file, and what is broken is told in a sentence.
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

// What a sound file says about its model.
struct Facts {
    std::string architecture = {};  // "llama"
    std::string name = {};          // Empty where the file has none.
    std::string quantization = {};  // "q4_1": the type that most of the weights have.
    std::string chat_template = {};
    std::uint64_t parameters = 0;
    std::uint64_t context = 0;  // Tokens that the model was made for.
    std::uint64_t layers = 0;
    std::uint64_t embedding = 0;
    std::uint64_t heads = 0;
    std::uint64_t vocabulary = 0;
    std::uint64_t cache_per_token = 0;  // Numbers that all layers keep for one token.
    std::uint64_t tensors = 0;
    std::uint64_t tensor_bytes = 0;
    std::uint64_t file_bytes = 0;
};

// Fails with a sentence that names the file; its contents go into it only where they are harmless.
Result<Facts> examine(const std::filesystem::path& file);

// The same for bytes from anywhere; the sentence has no subject: "it does not begin with GGUF".
Result<Facts> examine(Bytes& bytes);

}  // namespace parley::engine::gguf
