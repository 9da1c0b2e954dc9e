// A tiny embedding model with random weights, as a GGUF file: it computes as a real one does.
#pragma once

#include "engine/gguf/gguf_for_tests.hpp"

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace parley::engine::llama {

class TinyEmbeddingModel {
public:
    static constexpr std::uint32_t dimensions = 32;
    static constexpr std::uint32_t context = 64;

    TinyEmbeddingModel()
    {
        using namespace gguf;
        const std::vector<std::string> tokens{"[PAD]",     "[UNK]",     "[CLS]",
                                              "[SEP]",     "\u2581the", "\u2581cat",
                                              "\u2581dog", "\u2581sat", "s"};
        std::string types = raw<std::uint32_t>(5) + raw<std::uint64_t>(tokens.size());
        std::string list = raw<std::uint32_t>(8) + raw<std::uint64_t>(tokens.size());
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            list += text(tokens[i]);
            types += raw<std::int32_t>(i < 4 ? 3 : 1);  // The first are special.
        }
        file_.entries = {text_entry("general.architecture", "bert"),
                         text_entry("general.name", "Tiny embedding model"),
                         number_entry("bert.context_length", context),
                         number_entry("bert.block_count", layers),
                         number_entry("bert.embedding_length", dimensions),
                         number_entry("bert.feed_forward_length", wide),
                         number_entry("bert.attention.head_count", 4),
                         entry("bert.attention.layer_norm_epsilon", 6, raw(1e-12F)),
                         entry("bert.attention.causal", 7, raw<std::uint8_t>(0)),
                         number_entry("bert.pooling_type", 1),
                         text_entry("tokenizer.ggml.model", "bert"),
                         number_entry("tokenizer.ggml.token_type_count", 1),
                         entry("tokenizer.ggml.tokens", 9, list),
                         entry("tokenizer.ggml.token_type", 9, types),
                         number_entry("tokenizer.ggml.padding_token_id", 0),
                         number_entry("tokenizer.ggml.unknown_token_id", 1),
                         number_entry("tokenizer.ggml.bos_token_id", 2),
                         number_entry("tokenizer.ggml.seperator_token_id", 3)};
        file_.tensors.clear();
        file_.data = 0;
        add("token_embd.weight", {dimensions, tokens.size()});
        add("token_types.weight", {dimensions, 1});
        add("position_embd.weight", {dimensions, context});
        add_norm("token_embd_norm");
        for (std::uint32_t i = 0; i < layers; ++i) add_layer("blk." + std::to_string(i) + ".");
    }

    std::string bytes() const { return file_.bytes() + weights_; }

    gguf::ModelForTests& file() { return file_; }

private:
    static constexpr std::uint32_t layers = 2;
    static constexpr std::uint32_t wide = 64;

    void add(std::string name, std::vector<std::uint64_t> shape)
    {
        file_.tensors.push_back({std::move(name), shape, 0, weights_.size()});
        std::uint64_t count = 1;
        for (const std::uint64_t each : shape) count *= each;
        for (std::uint64_t i = 0; i < count; ++i) weights_ += gguf::raw(chance());
        weights_.resize((weights_.size() + 31) / 32 * 32);
    }
    void add_norm(const std::string& name)
    {
        add(name + ".weight", {dimensions});
        add(name + ".bias", {dimensions});
    }
    void add_layer(const std::string& layer)
    {
        for (const char* each : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
            add(layer + each + ".weight", {dimensions, dimensions});
            add(layer + each + ".bias", {dimensions});
        }
        add_norm(layer + "attn_output_norm");
        add(layer + "ffn_up.weight", {dimensions, wide});
        add(layer + "ffn_up.bias", {wide});
        add(layer + "ffn_down.weight", {wide, dimensions});
        add(layer + "ffn_down.bias", {dimensions});
        add_norm(layer + "layer_output_norm");
    }
    float chance() { return static_cast<float>(random_() % 2048) / 1024 - 1; }

    std::minstd_rand random_;
    gguf::ModelForTests file_;
    std::string weights_;
};

}  // namespace parley::engine::llama
