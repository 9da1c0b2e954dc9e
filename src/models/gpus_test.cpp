#include "models/gpus.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

TEST(GpuBackends, AreFoundBesideTheProgram)
{
    const app::FolderForTests folder;
    const fs::path program = folder.path() / "bin" / "parley";
    EXPECT_THAT(backend_files(program), IsEmpty());

    fs::create_directories(folder.path() / "lib" / "parley");
    const auto installed = folder.file("lib/parley/libggml-cuda.so", "");
    EXPECT_THAT(backend_files(program), ElementsAre(installed));

    fs::create_directories(folder.path() / "bin" / "backends");
    const auto vulkan = folder.file("bin/backends/libggml-vulkan.so", "");
    const auto cuda = folder.file("bin/backends/libggml-cuda.so", "");
    folder.file("bin/backends/libggml-cuda.so.part", "");
    folder.file("bin/backends/other.so", "");
    EXPECT_THAT(backend_files(program), ElementsAre(cuda, vulkan)) << "Those of a build come first";
}

TEST(GpuBackends, SayWhyThereIsNoGpu)
{
    EXPECT_THAT(why_no_gpu({}), HasSubstr("-DPARLEY_CUDA=ON"));
    EXPECT_THAT(why_no_gpu({.backends = 1}), HasSubstr("finds no device"));
    EXPECT_EQ(why_no_gpu({.backends = 2, .faults = {"One.", "Two."}}), "One. Two.");
    EXPECT_EQ(described({.name = "CUDA0",
                         .description = "NVIDIA H200",
                         .memory = std::uint64_t{143'167} << 20U,
                         .free = std::uint64_t{140'331} << 20U}),
              "NVIDIA H200 (CUDA0), 140331 of 143167 MiB free");
}

}  // namespace
}  // namespace parley::models
