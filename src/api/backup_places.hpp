// Limits the number of backups in the data directory, those included that are being written: each
// is as large as the database.
//
// Threads: from any thread.
#pragma once

#include "api/backups.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace parley::api {

class BackupPlaces {
public:
    static constexpr std::size_t most = 8;

    // The place of a file until it was written; fails with conflict.
    Result<std::shared_ptr<void>> take(const std::filesystem::path& file)
    {
        const MutexLock lock(mutex_);
        std::set<std::string> all = names_;  // Some of these have a file already.
        for (std::string& each : backups_in(file.parent_path())) all.insert(std::move(each));
        if (all.size() >= most) return too_many();
        const std::string name = file.filename().string();
        names_.insert(name);
        return std::shared_ptr<void>(nullptr, [this, name](void*) {
            const MutexLock again(mutex_);
            names_.erase(name);
        });
    }

private:
    static Error too_many()
    {
        return {Errc::conflict,
                "There are " + std::to_string(most) +
                    " backups in the data directory. Move them to another disk or delete them."};
    }

    Mutex mutex_;
    std::set<std::string> names_ GUARDED_BY(mutex_);
};

}  // namespace parley::api
