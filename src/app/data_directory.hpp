// The directory that holds all that a server keeps: its store, its journal, and the few small files
// by which commands find it. It belongs to one user, nobody else can look into it, and one process
// at a time works in it: a lock that the kernel drops with the process, however that ends.
//
// Threads: to be opened once, by the main thread. After that its methods may be called from any
// thread; write_private() by one at a time for the same name.
#pragma once

#include "app/environment.hpp"
#include "base/error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace parley::app {

// Where the directory is: --data, else $PARLEY_DATA, else $XDG_DATA_HOME/parley, else
// ~/.local/share/parley. An absolute path; nothing is looked at. Fails with a sentence where there
// is no home.
Result<std::filesystem::path> find_data_directory(std::string_view option,
                                                  const Environment& environment);

// What lies where in it.
struct DataPaths {
    std::filesystem::path directory;

    std::filesystem::path database() const { return directory / "parley.db"; }
    std::filesystem::path journal() const { return directory / "journal"; }
    std::filesystem::path limits() const { return directory / "limits"; }
    // What one server hands to the next of the time (base/trusted_time.hpp).
    std::filesystem::path clock() const { return directory / "clock"; }
    // The saved prompt caches of the last server (engine/llama/prefix_cache_file.hpp).
    std::filesystem::path model_cache() const { return directory / "model-cache"; }
    std::filesystem::path cli_token() const { return directory / "cli-token"; }
    std::filesystem::path server_address() const { return directory / "server-address"; }
    std::filesystem::path setup_link() const { return directory / "setup-link"; }
    std::filesystem::path lock() const { return directory / "lock"; }
};

// Who works in a directory. The address is empty until the server listens, and for commands.
struct LockHolder {
    long pid = 0;
    std::string address;
};

// Nobody where there is no directory. Takes nothing away from whoever tries to lock it meanwhile.
Result<std::optional<LockHolder>> holder_of(const DataPaths& paths);

// Fails with a sentence unless it is a directory of this user that nobody else can look into.
Result<> check_privacy(const std::filesystem::path& directory);

class DataDirectory {
public:
    // Makes it where it is missing, and the directories above it, all for this user alone; locks
    // it. Fails with a sentence, with `conflict` where another process has it.
    static Result<DataDirectory> open(const std::filesystem::path& directory);

    DataDirectory(DataDirectory&& other) noexcept;
    DataDirectory& operator=(DataDirectory&& other) noexcept;
    DataDirectory(const DataDirectory&) = delete;
    DataDirectory& operator=(const DataDirectory&) = delete;
    ~DataDirectory();

    const DataPaths& paths() const { return paths_; }

    // Tells others where this process listens: in the lock, for their sentences.
    Result<> announce(std::string_view address);

    // Writes a file that only this user can read. Whoever reads it, also after a power cut, finds
    // the old text or the new one, whole.
    Result<> write_private(std::string_view name, std::string_view text);

    // Whether it was there or not.
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
// where it is missing.
Result<std::string> read_private(const std::filesystem::path& file);

}  // namespace parley::app
