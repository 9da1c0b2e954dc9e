// The folder of the journal's segments: files named 00000001.segment and so on, in the order in
// which they were written. It is for our eyes alone (0700, files 0600), and one process at a time
// holds it. Files with other names are left alone.
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
    // Makes the folder where there is none; the one above it must be there.
    static Result<Folder> open(std::filesystem::path path);

    // In ascending order.
    Result<std::vector<std::uint32_t>> segments() const;

    Result<File> open_segment(std::uint32_t number) const;
    Result<File> create_segment(std::uint32_t number) const;
    Result<> remove_segment(std::uint32_t number) const;

    // Renames a segment nobody can read, so that it is out of the way and not lost.
    Result<> set_aside(std::uint32_t number) const;

    const std::filesystem::path& path() const { return path_; }
    std::string path_of(std::uint32_t number) const;

private:
    Folder(std::filesystem::path path, File handle);

    std::filesystem::path path_;
    File handle_;  // Carries the lock.
};

}  // namespace parley::journal::file
