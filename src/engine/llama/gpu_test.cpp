#include "engine/llama/gpu.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <exception>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace parley::engine::llama {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

// A library that is no backend.
fs::path other_library()
{
    Dl_info library{};
    EXPECT_NE(::dladdr(reinterpret_cast<void*>(&std::terminate), &library), 0);
    return library.dli_fname;
}

// Backends are loaded once in a process, so this is one test.
TEST(GpuBackend, ThatIsForAnotherVersionOrDamagedIsReported)
{
    const fs::path damaged =
        fs::temp_directory_path() / ("libggml-damaged-" + std::to_string(::getpid()) + ".so");
    std::ofstream(damaged) << "This is not a library.";
    const std::vector<fs::path> files{other_library(), damaged};
    const Gpus found = find_gpus(files);
    EXPECT_EQ(found.backends, 2U);
    EXPECT_THAT(found.faults,
                ElementsAre(HasSubstr(" cannot be used: it was built for another version"),
                            HasSubstr("libggml-damaged-")));
    EXPECT_EQ(find_gpus(files).faults, found.faults);
    fs::remove(damaged);

    std::uint64_t free = 0;
    for (const Gpu& gpu : found.devices) free += gpu.free;
    EXPECT_EQ(found.free(), free);
}

TEST(GpuBackend, FindsTheFunctionsOfThisProgram)
{
    for (const char* name : {"ggml_backend_buffer_init", "ggml_log_internal", "ggml_nbytes"})
        EXPECT_NE(::dlsym(RTLD_DEFAULT, name), nullptr) << name;
}

TEST(GpuBackend, TakesNothingIfNoGpuIsUsed)
{
    const GpuLoading loading(false);
    EXPECT_EQ(loading.taken(), 0U);
    const GpuLoading beside(false);  // Does not wait.
    EXPECT_EQ(beside.taken(), 0U);
}

}  // namespace
}  // namespace parley::engine::llama
