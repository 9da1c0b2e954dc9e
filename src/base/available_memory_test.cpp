#include "base/available_memory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace parley {
namespace {

namespace fs = std::filesystem;

class AvailableMemoryTest : public testing::Test {
protected:
    AvailableMemoryTest()
    {
        std::string name = fs::temp_directory_path() / "parley-test-XXXXXX";
        root = mkdtemp(name.data());
        write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    4000 kB\nSwapFree: 1 kB\n");
    }
    ~AvailableMemoryTest() override { fs::remove_all(root); }

    void write(const fs::path& file, std::string_view text) const
    {
        fs::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    }

    fs::path root;
};

TEST_F(AvailableMemoryTest, IsWhatTheMachineHasLeft)
{
    EXPECT_EQ(available_memory(root), 4000U * 1024);
    write("sys/fs/cgroup/memory.max", "max\n");
    write("sys/fs/cgroup/memory.current", "5\n");
    EXPECT_EQ(available_memory(root), 4000U * 1024);
    EXPECT_GT(available_memory(), 0U);
    EXPECT_EQ(available_memory(root / "nowhere"), 0U);
}

TEST_F(AvailableMemoryTest, IsWhatAContainerLeaves)
{
    write("sys/fs/cgroup/memory.max", "3000000\n");
    write("sys/fs/cgroup/memory.current", "1000000\n");
    EXPECT_EQ(available_memory(root), 2'000'000U);
    write("sys/fs/cgroup/memory.stat", "anon 7\ninactive_file 600000\n");
    EXPECT_EQ(available_memory(root), 2'600'000U) << "The file cache can be had back";
    write("sys/fs/cgroup/memory.current", "9000000\n");
    EXPECT_EQ(available_memory(root), 0U);
}

TEST_F(AvailableMemoryTest, IsTheLeastOfAllGroupsAbove)
{
    write("proc/self/cgroup", "0::/system/parley\n");
    write("sys/fs/cgroup/system/parley/memory.max", "2000000\n");
    write("sys/fs/cgroup/system/parley/memory.current", "0\n");
    EXPECT_EQ(available_memory(root), 2'000'000U);
    write("sys/fs/cgroup/system/memory.max", "1000000\n");
    write("sys/fs/cgroup/system/memory.current", "0\n");
    EXPECT_EQ(available_memory(root), 1'000'000U);
}

TEST_F(AvailableMemoryTest, KnowsTheFirstVersionOfGroups)
{
    write("proc/self/cgroup", "7:cpu:/x\n5:memory:/docker/1\n");
    write("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "1500000\n");
    write("sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "500000\n");
    EXPECT_EQ(available_memory(root), 1'000'000U);
}

}  // namespace
}  // namespace parley
