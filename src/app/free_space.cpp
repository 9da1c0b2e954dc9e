#include "app/free_space.hpp"

#include "base/log.hpp"

#include <sys/statvfs.h>

namespace parley::app {
namespace {

// Room is made by people, not by waiting a second.
constexpr std::chrono::seconds wait_when_low{30};

}  // namespace

std::uint64_t free_bytes(const std::filesystem::path& directory)
{
    struct statvfs about{};
    if (statvfs(directory.c_str(), &about) != 0) return 0;
    return std::uint64_t{about.f_bavail} * about.f_frsize;
}

Result<> FreeSpace::check()
{
    const std::uint64_t free = free_bytes(directory_);
    const bool is_low = free < min_bytes_;
    if (is_low_.exchange(is_low) != is_low) {
        const auto directory = log::kv("directory", directory_.native());
        const auto free_mib = log::kv("free_mib", free >> 20U);
        if (is_low)
            log::warn("disk nearly full; new runs are refused", directory, free_mib,
                      log::kv("min_free_mib", min_bytes_ >> 20U));
        else
            log::info("disk has free space again; new runs are accepted", directory, free_mib);
    }
    if (!is_low) return {};
    return Error{.code = Errc::storage_unavailable,
                 .message =
                     "The server's disk is nearly full; nothing new is stored until its operator "
                     "frees space.",
                 .retry_after = wait_when_low};
}

}  // namespace parley::app
