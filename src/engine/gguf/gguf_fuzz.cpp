// Fuzzes the examination of model files. It must not crash, and everything that it accepts must be
// within the file. An input that does not begin with GGUF is appended to the header of a valid
// file, so that the fuzzer reaches the later parts.
#include "engine/gguf/bytes.hpp"
#include "engine/gguf/gguf_for_tests.hpp"
#include "engine/gguf/memory_need.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace parley::engine::gguf;
    std::string file(reinterpret_cast<const char*>(data), size);
    if (!file.starts_with("GGUF")) {
        std::string sound = ModelForTests().bytes();
        const std::size_t at = size > 1 ? (data[0] * 256U + data[1]) % sound.size() : 0;
        sound.replace(at, std::min(size, sound.size() - at), file);
        file = std::move(sound);
    }
    TextBytes bytes(file);
    const auto facts = examine(bytes);
    if (!facts) {
        if (facts.error().message.empty()) std::abort();
        return 0;
    }
    if (facts->tensor_bytes > file.size() || facts->vocabulary == 0) std::abort();
    if (memory_need(*facts, context_of(*facts, 0)).with(16) < facts->tensor_bytes) std::abort();
    return 0;
}
