// The folder of the journal's segments: files named 00000001.segment and so on, in the order in
// which they were written. It is private (0700, files 0600), and one process at a time locks it.
// Files with other names are ignored.
//
// Threads: after open(), from any thread.
#pragma once

#include "base/error.hpp"
#include "journal/file/file.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace parley::journal::file {

class Folder {
public:
    // Creates the folder if it is missing; its parent must exist.
    static Result<Folder> open(std::filesystem::path path);

    // In ascending order.
    Result<std::vector<std::uint32_t>> segments() const;

    Result<File> open_segment(std::uint32_t number) const;
    Result<File> create_segment(std::uint32_t number) const;
    Result<> remove_segment(std::uint32_t number) const;

    // Renames an unreadable segment, so that it is ignored but not lost.
    Result<> set_aside(std::uint32_t number) const;

    const std::filesystem::path& path() const { return path_; }
    std::string path_of(std::uint32_t number) const;

private:
    Folder(std::filesystem::path path, File handle);

    std::filesystem::path path_;
    File handle_;  // Holds the lock.
};

}  // namespace parley::journal::file
