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
    std::uint64_t available = std::uint64_t{100} << 20U;
    const auto good = check_model({.name = "a", .file = sound}, available);
    EXPECT_EQ(good.verdict, Verdict::ok);
    EXPECT_THAT(good.finding, HasSubstr("MiB of memory"));
    EXPECT_LT(available, std::uint64_t{40} << 20U) << "The next one has less";

    const auto too_big = check_model({.name = "b", .file = sound}, available);
    EXPECT_EQ(too_big.verdict, Verdict::fail);
    EXPECT_THAT(too_big.advice, HasSubstr("models.b.context"));

    const auto broken = check_model({.name = "c", .file = folder.file("broken", "x")}, available);
    EXPECT_EQ(broken.verdict, Verdict::fail);
    EXPECT_THAT(broken.finding, HasSubstr("does not begin with GGUF"));
}

}  // namespace
}  // namespace parley::cli
