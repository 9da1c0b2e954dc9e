#include "engine/gguf/gguf.hpp"

#include "engine/gguf/bytes.hpp"
#include "engine/gguf/gguf_for_tests.hpp"
#include "engine/gguf/metadata.hpp"
#include "engine/gguf/tensors.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <gmock/gmock.h>

namespace parley::engine::gguf {
namespace {

using testing::HasSubstr;

Result<Facts> examined(const std::string& file)
{
    TextBytes bytes(file);
    return examine(bytes);
}

TEST(Gguf, TellsWhatAModelIs)
{
    const auto facts = examined(ModelForTests().bytes());
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->architecture, "llama");
    EXPECT_EQ(facts->name, "Tiny");
    EXPECT_EQ(facts->quantization, "q4_0");
    EXPECT_EQ(facts->chat_template, "{{ messages }}");
    EXPECT_EQ(facts->parameters, 704U);
    EXPECT_EQ(facts->context, 2048U);
    EXPECT_EQ(facts->layers, 3U);
    EXPECT_EQ(facts->embedding, 64U);
    EXPECT_EQ(facts->heads, 4U);
    EXPECT_EQ(facts->vocabulary, 10U);
    EXPECT_EQ(facts->cache_per_token, 3U * 2 * (16 + 16));
    EXPECT_EQ(facts->tensors, 2U);
    EXPECT_EQ(facts->tensor_bytes, 20U * 18 + 64 * 4);
}

TEST(Gguf, KnowsEmbeddingModels)
{
    EXPECT_FALSE(examined(ModelForTests().bytes())->embeds);
    ModelForTests trained_further;
    trained_further.entries.push_back(number_entry("llama.pooling_type", 3));
    EXPECT_TRUE(examined(trained_further.bytes())->embeds);
    EXPECT_FALSE(examined(trained_further.bytes())->is_encoder);
    EXPECT_TRUE(examined(trained_further.bytes())->embeds_in_steps);
    trained_further.entries.push_back(entry("llama.attention.causal", 7, raw<std::uint8_t>(0)));
    EXPECT_FALSE(examined(trained_further.bytes())->embeds_in_steps);
    ModelForTests averaged;
    averaged.entries.push_back(number_entry("llama.pooling_type", 1));
    EXPECT_TRUE(examined(averaged.bytes())->embeds);
    EXPECT_FALSE(examined(averaged.bytes())->embeds_in_steps);
    ModelForTests unpooled;
    unpooled.entries.push_back(number_entry("llama.pooling_type", 0));
    EXPECT_FALSE(examined(unpooled.bytes())->embeds);

    ModelForTests encoder;
    encoder.entries[0] = text_entry("general.architecture", "bert");
    encoder.entries[2] = number_entry("bert.context_length", 512);
    encoder.entries[3] = number_entry("bert.block_count", 3);
    encoder.entries[4] = number_entry("bert.embedding_length", 64);
    encoder.entries[5] = number_entry("bert.attention.head_count", 4);
    const auto facts = examined(encoder.bytes());
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_TRUE(facts->embeds);
    EXPECT_TRUE(facts->is_encoder);

    encoder.entries.push_back(number_entry("bert.pooling_type", 4));
    const auto reranker = examined(encoder.bytes());
    ASSERT_FALSE(reranker);
    EXPECT_THAT(reranker.error().message, HasSubstr("reranking model"));
}

TEST(Gguf, TakesKeysAndValuesOfEachLayer)
{
    ModelForTests model;
    model.entries[6] = entry("llama.attention.head_count_kv", 9,
                             raw<std::uint32_t>(5) + raw<std::uint64_t>(3) + raw<std::int32_t>(1) +
                                 raw<std::int32_t>(2) + raw<std::int32_t>(4));
    model.entries.push_back(number_entry("llama.attention.key_length", 100));
    model.entries.push_back(number_entry("llama.attention.value_length", 50));
    const auto facts = examined(model.bytes());
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->cache_per_token, (1U + 2 + 4) * 150);
}

TEST(Gguf, EndsWellWhereverTheFileDoes)
{
    const std::string whole = ModelForTests().bytes();
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(examined(whole.substr(0, size))) << size;
    EXPECT_TRUE(examined(whole + "more"));
}

struct Breakage {
    const char* says;
    std::function<void(ModelForTests&)> change;
};

TEST(Gguf, SaysWhatIsBroken)
{
    const auto appended = [](std::string entry) {
        return [entry = std::move(entry)](ModelForTests& model) { model.entries.push_back(entry); };
    };
    const auto replaced = [](std::size_t index, std::string entry) {
        return [index, entry = std::move(entry)](ModelForTests& model) {
            model.entries[index] = entry;
        };
    };
    const auto tensor = [](TensorForTests made) {
        return [made = std::move(made)](ModelForTests& model) { model.tensors[1] = made; };
    };
    const std::vector<Breakage> table = {
        {"it does not begin with GGUF", [](auto& model) { model.magic = "GGML"; }},
        {"version 1 of the format", [](auto& model) { model.version = 1; }},
        {"the wrong byte order", [](auto& model) { model.version = 3U << 24U; }},
        {"\"a\" occurs twice",
         [](auto& model) {
             model.entries.push_back(number_entry("a", 1));
             model.entries.push_back(number_entry("a", 1));
         }},
        {"type that does not exist (13)", appended(entry("a", 13, ""))},
        {"\"a\" has a text of 16777217 bytes",
         appended(entry("a", 8, raw<std::uint64_t>(max_text_length + 1)))},
        {"is a list of lists",
         appended(entry("a", 9, raw<std::uint32_t>(9) + raw<std::uint64_t>(1)))},
        {"is a list of 16777217",
         appended(entry("a", 9, raw<std::uint32_t>(0) + raw<std::uint64_t>(max_list_length + 1)))},
        {"ends in the middle of its header",
         appended(entry("a", 9, raw<std::uint32_t>(10) + raw<std::uint64_t>(1'000'000)))},
        {"a name of 0 bytes", appended(entry("", 0, "x"))},
        {"a name of 1025 bytes", appended(entry(std::string(1025, 'a'), 0, "x"))},
        {"alignment is not a power of two", appended(number_entry("general.alignment", 24))},
        {"alignment is not a power of two", appended(number_entry("general.alignment", 0))},
        {"its type is \"adapter\"", appended(text_entry("general.type", "adapter"))},
        {"one of 3 parts", appended(entry("split.count", 2, raw<std::uint16_t>(3)))},
        {"name its architecture", replaced(0, text_entry("general.architecture", ""))},
        {"\"llama.context_length\" is missing", replaced(2, number_entry("x", 1))},
        {"\"llama.block_count\" is not between 1 and 512",
         replaced(3, number_entry("llama.block_count", 513))},
        {"\"llama.embedding_length\" is not between",
         replaced(4, entry("llama.embedding_length", 5, raw<std::int32_t>(-1)))},
        {"\"llama.attention.head_count\" is not between",
         replaced(5, number_entry("llama.attention.head_count", 0))},
        {"it has no vocabulary", replaced(8, tokens_entry(0))},
        {"it has no vocabulary", replaced(8, text_entry("tokenizer.ggml.tokens", "x"))},
        {"it has no tensors", [](auto& model) { model.tensors.clear(); }},
        {"a name of 64 bytes", tensor({std::string(64, 'a'), {64}, 0, 384})},
        {"\"token_embd.weight\" occurs twice", tensor({"token_embd.weight", {64}, 0, 384})},
        {"\"a\" has 0 dimensions", tensor({"a", {}, 0, 384})},
        {"\"a\" has 5 dimensions", tensor({"a", {1, 1, 1, 1, 1}, 0, 384})},
        {"\"a\" has an impossible shape", tensor({"a", {64, 0}, 0, 384})},
        {"\"a\" has an impossible shape", tensor({"a", {1U << 30U, 1U << 30U}, 0, 384})},
        {"\"a\" has a type that does not exist (4)", tensor({"a", {64}, 4, 384})},
        {"rows of 65 numbers", tensor({"a", {65}, 2, 384})},
        {"not begin at a multiple of 32", tensor({"a", {64}, 0, 385})},
        {"beyond the end of the file", tensor({"a", {65}, 0, 384})},
        {"beyond the end of the file", tensor({"a", {64}, 0, std::uint64_t{1} << 63U})},
        {"overlaps another", tensor({"a", {64}, 0, 352})},
        {"beyond the end of the file", [](auto& model) { --model.data; }},
    };
    for (const auto& [says, change] : table) {
        ModelForTests model;
        change(model);
        const auto facts = examined(model.bytes());
        ASSERT_FALSE(facts) << says;
        EXPECT_THAT(facts.error().message, HasSubstr(says));
    }
}

TEST(Gguf, DoesNotBelieveCounts)
{
    const std::string start = "GGUF" + raw<std::uint32_t>(3);
    const auto with = [&](std::uint64_t tensors, std::uint64_t entries) {
        return examined(start + raw(tensors) + raw(entries)).error().message;
    };
    EXPECT_THAT(with(1, max_entries + 1), HasSubstr("claims 65537 entries"));
    EXPECT_THAT(with(1, max_entries), HasSubstr("ends in the middle"));
    const std::string named = text_entry("general.architecture", "x");
    EXPECT_THAT(
        examined(start + raw(max_tensors + 1) + raw<std::uint64_t>(1) + named).error().message,
        HasSubstr("claims 65537 tensors"));
}

TEST(Gguf, NamesTheFile)
{
    EXPECT_THAT(examine("/nowhere.gguf").error().message,
                HasSubstr("/nowhere.gguf cannot be opened: No such file"));
    EXPECT_THAT(examine("/dev/null").error().message, HasSubstr("/dev/null is not a plain file."));
    EXPECT_THAT(examine("/proc/self/cmdline").error().message,
                HasSubstr("/proc/self/cmdline cannot be used as a model: it "));
}

}  // namespace
}  // namespace parley::engine::gguf
