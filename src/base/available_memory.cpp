#include "base/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace parley {
namespace {

namespace fs = std::filesystem;

// The number after a name in a file of such lines; without a name, the file's only number. Nothing
// if the file has another value, such as "max".
std::optional<std::uint64_t> number_in(const fs::path& file, const std::string& name = "")
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(name)) continue;
        const char* start = line.c_str() + name.size();
        char* end = nullptr;
        const auto number = std::strtoull(start, &end, 10);
        if (end != start) return number;
    }
    return {};
}

// The memory that a group of processes may still take, including its reclaimable file cache.
std::uint64_t left_in_group(const fs::path& group, const char* limit, const char* usage,
                            const std::string& cache)
{
    const auto most = number_in(group / limit);
    const auto used = number_in(group / usage);
    if (!most || !used) return std::numeric_limits<std::uint64_t>::max();
    const auto reclaimable = std::min(number_in(group / "memory.stat", cache).value_or(0), *used);
    return *most - std::min(*most, *used - reclaimable);
}

// The path of this process's group below the mount of the controller: "0::/a/b" in version 2,
// "5:memory:/a/b" in version 1.
std::string group_behind(const fs::path& root, const std::string& controller)
{
    std::ifstream lines(root / "proc/self/cgroup");
    for (std::string line; std::getline(lines, line);)
        if (const auto found = line.find(controller); found != line.npos)
            return line.substr(found + controller.size());
    return {};
}

// A group also has the limits of all groups above it.
template <class Left>
std::uint64_t least_upwards(const fs::path& mount, std::string group, const Left& left)
{
    std::uint64_t least = left(mount);
    while (group.size() > 1) {
        least = std::min(least, left(mount / group.substr(1)));
        group.resize(group.rfind('/'));
    }
    return least;
}

}  // namespace

std::uint64_t available_memory(const fs::path& root)
{
    const std::uint64_t machine =
        number_in(root / "proc/meminfo", "MemAvailable:").value_or(0) * 1024;
    const fs::path mount = root / "sys/fs/cgroup";
    const auto second = least_upwards(mount, group_behind(root, "0::"), [](const fs::path& group) {
        return left_in_group(group, "memory.max", "memory.current", "inactive_file ");
    });
    const auto first =
        least_upwards(mount / "memory", group_behind(root, ":memory:"), [](const fs::path& group) {
            return left_in_group(group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                 "total_inactive_file ");
        });
    return std::min({machine, first, second});
}

}  // namespace parley
