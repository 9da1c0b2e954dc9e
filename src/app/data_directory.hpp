// The directory with all data of a server: its store, its journal, and the few small files by which
// commands find it. It belongs to one user, other users cannot read it, and one process at a time
// uses it: the kernel releases the lock when the process ends, for any reason.
//
// Threads: to be opened once, by the main thread. After that its methods may be called from any
// thread; write_private() by one at a time for the same name.
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace parley::app {

// The paths of its files.
struct DataPaths {
    std::filesystem::path directory;

    std::filesystem::path database() const { return directory / "parley.db"; }
    std::filesystem::path journal() const { return directory / "journal"; }
    std::filesystem::path limits() const { return directory / "limits"; }
    // The trusted time, for the next server (base/trusted_time.hpp).
    std::filesystem::path incarnation() const { return directory / "incarnation"; }
    std::filesystem::path clock() const { return directory / "clock"; }
    std::filesystem::path cli_token() const { return directory / "cli-token"; }
    std::filesystem::path server_address() const { return directory / "server-address"; }
    std::filesystem::path setup_link() const { return directory / "setup-link"; }
    std::filesystem::path lock() const { return directory / "lock"; }
};

// The process that uses a directory. The address is empty until the server listens, and for
// commands.
struct LockHolder {
    long pid = 0;
    std::string address = {};
    std::string metrics_address = {};  // Empty also if there are no metrics.
};

// Nothing if there is no directory. Does not disturb a process that locks it at the same time.
Result<std::optional<LockHolder>> holder_of(const DataPaths& paths);

// Fails with a message unless it is a directory of this user that other users cannot read.
Result<> check_privacy(const std::filesystem::path& directory);

// The same, after it was created if it is missing.
Result<> prepare_data_directory(const std::filesystem::path& directory);

class DataDirectory {
public:
    // Creates it and the directories above it if they are missing, private to this user, and locks
    // it. Fails with a message, with `conflict` if another process has locked it.
    static Result<DataDirectory> open(const std::filesystem::path& directory);

    DataDirectory(DataDirectory&& other) noexcept;
    DataDirectory& operator=(DataDirectory&& other) noexcept;
    DataDirectory(const DataDirectory&) = delete;
    DataDirectory& operator=(const DataDirectory&) = delete;
    ~DataDirectory();

    const DataPaths& paths() const { return paths_; }

    // Writes the addresses of this process into the lock, for the messages of other processes.
    Result<> announce(std::string_view address, std::string_view metrics_address = {});

    // Writes a file that only this user can read, atomically: also after a power cut, it holds the
    // complete old text or the complete new one.
    Result<> write_private(std::string_view name, std::string_view text);

    // Succeeds also if the file does not exist.
    Result<> remove(std::string_view name);

private:
    DataDirectory(DataPaths paths, int directory, int lock)
        : paths_(std::move(paths)), directory_(directory), lock_(lock)
    {
    }
    void swap(DataDirectory& other) noexcept;

    DataPaths paths_;
    int directory_ = -1;
    int lock_ = -1;
};

// A small file of a data directory, such as cli-token, without the line end. Fails with not_found
// if it is missing.
Result<std::string> read_private(const std::filesystem::path& file);

}  // namespace parley::app
