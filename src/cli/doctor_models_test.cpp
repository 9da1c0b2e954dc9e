#include "app/folder_for_tests.hpp"
#include "cli/finding.hpp"
#include "engine/gguf/gguf_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::cli {
namespace {

using testing::HasSubstr;

TEST(DoctorModelsTest, LooksAtEachModel)
{
    const app::FolderForTests folder;
    const std::string sound = folder.file("sound.gguf", engine::gguf::ModelForTests().bytes());
    constexpr std::uint64_t enough_for_one = std::uint64_t{100} << 20U;
    engine::gguf::FreeMemory free{.system = enough_for_one};
    const auto good = check_model({.name = "a", .options = {.path = sound}}, free);
    EXPECT_EQ(good.verdict, Verdict::ok);
    EXPECT_THAT(good.finding, HasSubstr("MiB of memory at rest"));
    EXPECT_LT(free.system, enough_for_one) << "The next one has less";

    free.system = std::uint64_t{1} << 20U;
    const auto too_big = check_model({.name = "b", .options = {.path = sound}}, free);
    EXPECT_EQ(too_big.verdict, Verdict::fail);
    EXPECT_THAT(too_big.advice, HasSubstr("models.b.context"));

    const auto broken =
        check_model({.name = "c", .options = {.path = folder.file("broken", "x")}}, free);
    EXPECT_EQ(broken.verdict, Verdict::fail);
    EXPECT_THAT(broken.finding, HasSubstr("does not begin with GGUF"));
}

TEST(DoctorModelsTest, SaysWhatIsOnTheGpu)
{
    const app::FolderForTests folder;
    const std::string sound = folder.file("sound.gguf", engine::gguf::ModelForTests().bytes());
    constexpr std::uint64_t plenty = std::uint64_t{8} << 30U;
    engine::gguf::FreeMemory free{.system = plenty, .gpu = plenty};
    const models::LocalModel model{.name = "a", .options = {.path = sound}};
    EXPECT_THAT(check_model(model, free).finding, HasSubstr(" MiB of GPU memory for "));
    EXPECT_LT(free.gpu, plenty) << "The next one has less";

    free.gpu = 0;
    models::LocalModel demanding = model;
    demanding.options.memory.gpu_layers = 2;
    const auto refused = check_model(demanding, free);
    EXPECT_EQ(refused.verdict, Verdict::fail);
    EXPECT_THAT(refused.finding, HasSubstr("a: gpu_layers is 2, but there is no GPU"));
}

TEST(DoctorModelsTest, ListsGpusAndBackendsThatCannotBeUsed)
{
    const auto found = check_gpus(
        {.backends = 2,
         .devices = {{.name = "CUDA0", .description = "NVIDIA H200", .memory = 1 << 30U}},
         .faults = {"libggml-vulkan.so cannot be used."}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].verdict, Verdict::warn);
    EXPECT_EQ(found[0].finding, "libggml-vulkan.so cannot be used.");
    EXPECT_EQ(found[1].verdict, Verdict::ok);
    EXPECT_EQ(found[1].finding, "NVIDIA H200 (CUDA0), 0 of 1024 MiB free");

    const auto none = check_gpus({});
    ASSERT_EQ(none.size(), 1U);
    EXPECT_EQ(none[0].verdict, Verdict::ok);
    EXPECT_THAT(none[0].finding, HasSubstr("none"));
    EXPECT_EQ(none[0].advice, "");
    const auto without_device = check_gpus({.backends = 1});
    ASSERT_EQ(without_device.size(), 1U);
    EXPECT_EQ(without_device[0].verdict, Verdict::warn);
    EXPECT_THAT(without_device[0].advice, HasSubstr("finds no device"));
}

}  // namespace
}  // namespace parley::cli
