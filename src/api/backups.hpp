// Backups over HTTP, for `parley backup` while a server runs. The copy is made inside the server's
// data directory, where the command takes it from: no client can choose where the server writes.
#pragma once

#include "api/route.hpp"

#include <filesystem>
#include <vector>

namespace parley::api {

struct BackupFolder {
    std::filesystem::path path;
};

}  // namespace parley::api
