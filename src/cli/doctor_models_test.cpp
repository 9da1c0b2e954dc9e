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
    std::uint64_t available = enough_for_one;
    const auto good = check_model({.name = "a", .options = {.path = sound}}, available);
    EXPECT_EQ(good.verdict, Verdict::ok);
    EXPECT_THAT(good.finding, HasSubstr("MiB of memory"));
    EXPECT_LT(available, enough_for_one) << "The next one has less";

    available = std::uint64_t{1} << 20U;
    const auto too_big = check_model({.name = "b", .options = {.path = sound}}, available);
    EXPECT_EQ(too_big.verdict, Verdict::fail);
    EXPECT_THAT(too_big.advice, HasSubstr("models.b.context"));

    const auto broken =
        check_model({.name = "c", .options = {.path = folder.file("broken", "x")}}, available);
    EXPECT_EQ(broken.verdict, Verdict::fail);
    EXPECT_THAT(broken.finding, HasSubstr("does not begin with GGUF"));
}

}  // namespace
}  // namespace parley::cli
