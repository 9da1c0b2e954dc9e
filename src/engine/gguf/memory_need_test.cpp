#include "engine/gguf/memory_need.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::engine::gguf {
namespace {

constexpr std::uint64_t mib = 1U << 20U;

// The values of SmolLM2-135M-Instruct.
const Facts small{.context = 8192,
                  .layers = 30,
                  .embedding = 576,
                  .heads = 9,
                  .vocabulary = 49152,
                  .cache_per_token = std::uint64_t{30} * 3 * 128,
                  .tensor_bytes = 96 * mib};

TEST(MemoryNeed, GrowsWithContextAndSlots)
{
    const MemoryNeed need = memory_need(small, 8192);
    EXPECT_EQ(need.per_conversation, 180 * mib) << "8,192 tokens";
    EXPECT_EQ(need.with(2) - need.with(1), 180 * mib);
    EXPECT_EQ(memory_need(small, 4096).per_conversation, 90 * mib);
    EXPECT_EQ(memory_need(small, 4096).at_rest, need.at_rest)
        << "No conversation, no memory for it";
    EXPECT_GT(need.at_rest, 96 * mib);
    EXPECT_LT(need.at_rest, 200 * mib);
}

TEST(MemoryNeed, DoesNotOverflow)
{
    Facts huge = small;
    huge.context = std::uint64_t{1} << 31U;
    huge.cache_per_token = std::uint64_t{1} << 50U;
    EXPECT_GT(memory_need(huge, huge.context).with(1000), std::uint64_t{1} << 61U);
}

TEST(MemoryNeed, TakesTheContextThatTheModelKnows)
{
    EXPECT_EQ(context_of(small, 0), 8192U);
    EXPECT_EQ(context_of(small, 100), 100U);
    EXPECT_EQ(context_of(small, 9000), 8192U);
    Facts long_one = small;
    long_one.context = 131'072;
    EXPECT_EQ(context_of(long_one, 0), 8192U);
    EXPECT_EQ(context_of(long_one, 131'072), 131'072U);
}

// The values of all-MiniLM-L6-v2.
TEST(MemoryNeed, OfAnEmbeddingModelIsForTheLongestText)
{
    const Facts encoder{.embeds = true,
                        .is_encoder = true,
                        .context = 512,
                        .layers = 6,
                        .embedding = 384,
                        .heads = 12,
                        .vocabulary = 30522,
                        .cache_per_token = std::uint64_t{6} * 2 * 384,
                        .tensor_bytes = 43 * mib};
    const MemoryNeed need = memory_need(encoder, context_of(encoder, 0));
    EXPECT_EQ(need.per_conversation, 0U);
    EXPECT_GT(need.at_rest, 80 * mib);
    EXPECT_LT(need.at_rest, 140 * mib);
    EXPECT_EQ(memory_need(encoder, 100).at_rest, need.at_rest) << "A batch is never shorter";

    Facts longer = encoder;
    longer.context = 8192;
    EXPECT_EQ(context_of(longer, 0), 2048U);
    EXPECT_EQ(context_of(longer, 8192), 8192U);
    EXPECT_GT(memory_need(longer, 8192).at_rest, memory_need(longer, 2048).at_rest + 500 * mib);
}

// The values of a language model with 0.6 billion parameters that was trained to embed.
TEST(MemoryNeed, OfALanguageModelThatEmbedsIncludesItsPredictions)
{
    Facts model{.embeds = true,
                .context = 32'768,
                .layers = 28,
                .embedding = 1024,
                .heads = 16,
                .vocabulary = 151'669,
                .cache_per_token = std::uint64_t{28} * 2 * 1024,
                .tensor_bytes = 600 * mib};
    const MemoryNeed whole = memory_need(model, 2048);
    EXPECT_GT(whole.at_rest, 3000 * mib);
    model.embeds_in_steps = true;
    const MemoryNeed in_steps = memory_need(model, 2048);
    EXPECT_GT(in_steps.at_rest, 1000 * mib);
    EXPECT_LT(in_steps.at_rest, 1400 * mib);
}

TEST(MemoryNeed, RefusesWhatDoesNotFit)
{
    EXPECT_TRUE(check_fits(small, {}, 500 * mib));
    const auto refused = check_fits(small, {}, 300 * mib);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                testing::HasSubstr("with a context of 8192 tokens, and 300 MiB are available."));
    EXPECT_TRUE(check_fits(small, {.context = 100}, 200 * mib)) << "A shorter context takes less";
}

TEST(MemoryNeed, CountsWhatIsWishedFor)
{
    const auto one = check_fits(small, {}, 500 * mib);
    ASSERT_TRUE(one);
    EXPECT_EQ(check_fits(small, {.slots = 2, .cache = 10 * mib}, 900 * mib).value() - *one,
              190 * mib);
    const auto refused = check_fits(small, {.slots = 3, .cache = 64 * mib}, 500 * mib);
    ASSERT_FALSE(refused);
    EXPECT_THAT(
        refused.error().message,
        testing::HasSubstr("tokens in each of 3 slots, 64 MiB of it as cache, and 500 MiB"));
}

}  // namespace
}  // namespace parley::engine::gguf
