#include "engine/gguf/placement.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::engine::gguf {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t gib = 1U << 30U;

// The values of an 8B model: 1 GiB for a conversation of 8,192 tokens.
const Facts large{.context = 131'072,
                  .layers = 32,
                  .embedding = 4096,
                  .heads = 32,
                  .vocabulary = 128'256,
                  .cache_per_token = std::uint64_t{32} * 8 * 256,
                  .tensor_bytes = 8 * gib};

TEST(Placement, IsTheSystemWithoutAGpu)
{
    const auto placed = place(large, {}, {.system = 16 * gib});
    ASSERT_TRUE(placed);
    EXPECT_EQ(placed->gpu_layers, 0U);
    EXPECT_EQ(placed->gpu_bytes, 0U);
    EXPECT_EQ(placed->system_bytes, check_fits(large, {}, 16 * gib).value());
    EXPECT_FALSE(placed->whole);
}

TEST(Placement, IsTheSystemIfNoLayerIsWanted)
{
    const auto placed = place(large, {.gpu_layers = 0}, {.system = 16 * gib, .gpu = 80 * gib});
    ASSERT_TRUE(placed);
    EXPECT_EQ(placed->gpu_layers, 0U);
    EXPECT_EQ(placed->gpu_bytes, 0U);
}

TEST(Placement, NeedsAGpuForLayersThatAreWanted)
{
    EXPECT_THAT(place(large, {.gpu_layers = 20}, {.system = 16 * gib}).error().message,
                HasSubstr("gpu_layers is 20, but there is no GPU"));
}

TEST(Placement, TakesAllLayersIfTheyFit)
{
    const auto placed = place(large, {}, {.system = 4 * gib, .gpu = 140 * gib});
    ASSERT_TRUE(placed) << "The weights need no memory of the machine";
    EXPECT_EQ(placed->gpu_layers, 33U) << "with the output";
    EXPECT_TRUE(placed->whole);
    EXPECT_EQ(placed->slots, 62U) << "half of the memory that the weights leave";
    EXPECT_EQ(placed->gpu_bytes, 70 * gib + gib / 2);
    EXPECT_LT(placed->system_bytes, gib);
}

TEST(Placement, HasAtMostSixtyFourSlotsByDefault)
{
    EXPECT_EQ(place(large, {.context = 1024}, {.system = 4 * gib, .gpu = 140 * gib})->slots, 64U);
    EXPECT_EQ(
        place(large, {.context = 1024, .slots = 200}, {.system = 4 * gib, .gpu = 140 * gib})->slots,
        200U);
}

TEST(Placement, TakesSomeLayersIfNotAllFit)
{
    const auto placed = place(large, {}, {.system = 16 * gib, .gpu = 6 * gib});
    ASSERT_TRUE(placed);
    EXPECT_GT(placed->gpu_layers, 10U);
    EXPECT_LT(placed->gpu_layers, 25U);
    EXPECT_FALSE(placed->whole);
    EXPECT_GE(placed->slots, 1U);
    EXPECT_LE(placed->gpu_bytes, 6 * gib);
    EXPECT_LT(placed->system_bytes, check_fits(large, {}, 16 * gib).value());
    EXPECT_THAT(place(large, {}, {.system = gib, .gpu = 6 * gib}).error().message,
                HasSubstr("It needs "))
        << "The other layers need memory of the machine";
}

TEST(Placement, TakesNoLayerIfNoneFits)
{
    const auto placed = place(large, {}, {.system = 16 * gib, .gpu = gib * 7 / 10});
    ASSERT_TRUE(placed);
    EXPECT_EQ(placed->gpu_layers, 0U);
}

TEST(Placement, TakesAsManyLayersAsAreWanted)
{
    const FreeMemory free{.system = 16 * gib, .gpu = 24 * gib};
    EXPECT_EQ(place(large, {.gpu_layers = 10}, free)->gpu_layers, 10U);
    EXPECT_EQ(place(large, {.gpu_layers = 999}, free)->gpu_layers, 33U);
    EXPECT_THAT(
        place(large, {.gpu_layers = 999}, {.system = 16 * gib, .gpu = 6 * gib}).error().message,
        HasSubstr("With 33 layers on the GPU it needs 9216 MiB of GPU memory, and "));
    EXPECT_THAT(place(large, {.slots = 20, .gpu_layers = 999}, free).error().message,
                HasSubstr("set a smaller gpu_layers, context or slots"));
}

TEST(Placement, DoesNotOverflow)
{
    Facts huge = large;
    huge.context = std::uint64_t{1} << 31U;
    huge.cache_per_token = std::uint64_t{1} << 50U;
    EXPECT_FALSE(place(huge, {.context = huge.context, .slots = 256, .gpu_layers = 999},
                       {.system = 16 * gib, .gpu = 24 * gib}));
}

}  // namespace
}  // namespace parley::engine::gguf
