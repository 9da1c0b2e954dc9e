// Backups over HTTP, for `parley backup` while a server runs. The copy is made inside the server's
// data directory, where the command takes it from: no client can choose where the server writes.
#pragma once

#include "api/route.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace parley::api {

struct BackupFolder {
    std::filesystem::path path;
    std::uint64_t min_free_bytes = 0;  // Exports leave more than this free on its disk.
};

// The names of their files.
std::vector<std::string> backups_in(const std::filesystem::path& folder);

// Removes copies that were not fetched for a day: they contain what was deleted since. The wall
// clock dates files, so this may only be called while that is beyond doubt
// (TrustedTime::may_sweep).
void remove_old_backups(const std::filesystem::path& folder, std::filesystem::file_time_type now);

}  // namespace parley::api
