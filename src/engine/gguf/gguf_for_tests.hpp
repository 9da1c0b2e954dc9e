// Creates GGUF files for tests: valid ones, and with small changes all kinds of invalid ones. The
// files have the form of a tiny model, with weights of zero.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine::gguf {

template <class Number>
std::string raw(Number number)
{
    std::string bytes(sizeof(Number), '\0');
    std::memcpy(bytes.data(), &number, sizeof(Number));
    return bytes;
}

inline std::string text(std::string_view value)
{
    return raw<std::uint64_t>(value.size()) + std::string(value);
}

// Entries of the header.
inline std::string entry(std::string_view key, std::uint32_t type, const std::string& value)
{
    return text(key) + raw(type) + value;
}
inline std::string number_entry(std::string_view key, std::uint32_t value)
{
    return entry(key, 4, raw(value));
}
inline std::string text_entry(std::string_view key, std::string_view value)
{
    return entry(key, 8, text(value));
}
inline std::string tokens_entry(std::uint64_t count)
{
    std::string list = raw<std::uint32_t>(8) + raw(count);
    for (std::uint64_t i = 0; i < count; ++i) list += text("t" + std::to_string(i));
    return entry("tokenizer.ggml.tokens", 9, list);
}

struct TensorForTests {
    std::string name;
    std::vector<std::uint64_t> shape;
    std::uint32_t type = 0;  // f32
    std::uint64_t offset = 0;
};

struct ModelForTests {
    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::vector<std::string> entries = {
        text_entry("general.architecture", "llama"),
        text_entry("general.name", "Tiny"),
        number_entry("llama.context_length", 2048),
        number_entry("llama.block_count", 3),
        number_entry("llama.embedding_length", 64),
        number_entry("llama.attention.head_count", 4),
        number_entry("llama.attention.head_count_kv", 2),
        text_entry("tokenizer.chat_template", "{{ messages }}"),
        tokens_entry(10),
    };
    std::vector<TensorForTests> tensors = {{"token_embd.weight", {64, 10}, 2, 0},
                                           {"output_norm.weight", {64}, 0, 384}};
    std::uint64_t data = 384 + 256;
    std::uint64_t alignment = 32;

    std::string bytes() const
    {
        std::string file = magic + raw(version) + raw<std::uint64_t>(tensors.size()) +
                           raw<std::uint64_t>(entries.size());
        for (const auto& each : entries) file += each;
        for (const auto& each : tensors) {
            file += text(each.name) + raw(static_cast<std::uint32_t>(each.shape.size()));
            for (const auto length : each.shape) file += raw(length);
            file += raw(each.type) + raw(each.offset);
        }
        file.resize((file.size() + alignment - 1) / alignment * alignment);
        return file + std::string(data, '\0');
    }
};

}  // namespace parley::engine::gguf
