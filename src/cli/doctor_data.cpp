#include "cli/finding.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace parley::cli {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr std::uint64_t next_to_nothing_mib = 16;  // Not enough even for the write-ahead log.

// The directory, or its nearest existing parent.
std::filesystem::path existing(std::filesystem::path directory)
{
    std::error_code ignored;
    while (!std::filesystem::exists(directory, ignored) && directory.has_relative_path())
        directory = directory.parent_path();
    return directory;
}

std::string reason() { return std::strerror(errno); }

}  // namespace

Finding check_directory(const app::DataPaths& paths, const Holder& holder)
{
    Finding found{.check = "data directory", .finding = paths.directory.string()};
    std::error_code ignored;
    if (!std::filesystem::exists(paths.directory, ignored)) {
        const auto above = existing(paths.directory);
        if (access(above.c_str(), W_OK | X_OK) == 0 && std::filesystem::is_directory(above)) {
            found.finding += " does not exist yet; the first start creates it";
            return found;
        }
        return {
            .check = found.check,
            .verdict = Verdict::fail,
            .finding = found.finding + " does not exist and cannot be created in " + above.string(),
            .advice = "Give another --data, or create it for the user that Parley runs as."};
    }
    if (const auto checked = app::check_privacy(paths.directory); !checked)
        return {.check = found.check,
                .verdict = Verdict::fail,
                .finding = checked.error().message,
                .advice = "Only the user that Parley runs as may own it or read it."};
    if (access(paths.directory.c_str(), W_OK | X_OK) != 0)
        return {.check = found.check,
                .verdict = Verdict::fail,
                .finding = found.finding + " cannot be written to: " + reason(),
                .advice = "Make it writable, or give another --data."};
    found.finding += holder ? ", in use by process " + std::to_string(holder->pid) +
                                  (holder->address.empty() ? "" : " on " + holder->address)
                            : ", not in use";
    return found;
}

Finding check_disk(const app::DataPaths& paths, std::uint64_t min_free_bytes)
{
    struct statvfs about{};
    const auto place = existing(paths.directory);
    if (statvfs(place.c_str(), &about) != 0)
        return {.check = "disk space",
                .verdict = Verdict::warn,
                .finding = "cannot determine the free space of " + place.string() + ": " + reason(),
                .advice = "Check by hand that there is enough."};
    const std::uint64_t min_free_mib = min_free_bytes / mib;
    const std::uint64_t free_mib = about.f_bavail * about.f_frsize / mib;
    Finding found{.check = "disk space", .finding = std::to_string(free_mib) + " MiB are free"};
    if (about.f_files > 0 && about.f_favail < 100) {
        found.verdict = Verdict::warn;
        found.finding += ", but almost no inodes are free: few new files can be created";
        found.advice = "Remove files from this file system.";
    }
    if (free_mib < min_free_mib) {
        found.verdict = Verdict::warn;
        found.finding += ", fewer than store.min_free_mib = " + std::to_string(min_free_mib);
        found.advice = "Free space on the file system of " + place.string() + ".";
    }
    if (free_mib < next_to_nothing_mib) found.verdict = Verdict::fail;
    return found;
}

Finding check_store_file(const app::DataPaths& paths, const std::string& kind)
{
    const std::string file = paths.database().string();
    if (kind == "memory")
        return {.check = "store",
                .verdict = Verdict::warn,
                .finding = "the store is in memory; everything is lost when the server stops",
                .advice = "Set store.kind=sqlite to keep conversations."};
    struct stat about{};
    if (stat(file.c_str(), &about) != 0)
        return {.check = "store",
                .verdict = errno == ENOENT || errno == ENOTDIR ? Verdict::ok : Verdict::fail,
                .finding = errno == ENOENT || errno == ENOTDIR
                               ? "does not exist yet; the first start creates it"
                               : file + " cannot be examined: " + reason()};
    if (!S_ISREG(about.st_mode) || access(file.c_str(), R_OK | W_OK) != 0)
        return {.check = "store",
                .verdict = Verdict::fail,
                .finding = file + " is not a readable and writable file",
                .advice = "Check its owner and mode, or restore a backup."};
    return {.check = "store",
            .finding = file + ", " +
                       std::to_string(static_cast<std::uint64_t>(about.st_size) / 1024) + " KiB"};
}

}  // namespace parley::cli
