// The rate-limit file. A start never changes the existing file: it creates a new one beside it, and
// renames that when all data is carried over, so that a kill at any moment leaves one complete
// file.
//
// All its blocks are allocated when it is created: writing to mapped memory without disk space
// would crash the process. Both files are locked for as long as the process lives, because two
// programs with one file would admit twice as many.
#pragma once

#include "base/error.hpp"
#include "limits/local/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

namespace parley::limits::local {

class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor();

    int get() const { return fd_; }

private:
    int fd_;
};

// The file of the last process.
class OldFile {
public:
    // Nothing if there is no file. Fails if it cannot be read or another program uses it.
    static Result<std::optional<OldFile>> open(const std::filesystem::path& path);

    // Nothing if the file is damaged, or not one of ours.
    const std::optional<Header>& header() const { return header_; }

    Result<> read(std::uint64_t offset, std::span<std::uint64_t> words) const;

private:
    std::filesystem::path path_;
    Descriptor file_;
    std::optional<Header> header_;
};

class NewFile {
public:
    // All zero, mapped, and under another name until publish().
    static Result<NewFile> make(const std::filesystem::path& path, std::uint64_t bytes);

    NewFile(NewFile&& other) noexcept;
    NewFile& operator=(NewFile&&) = delete;
    ~NewFile();

    Header& header() { return *reinterpret_cast<Header*>(words_.data()); }
    std::span<std::uint64_t> words(std::uint64_t offset, std::uint64_t bytes)
    {
        return words_.subspan(offset / sizeof(std::uint64_t), bytes / sizeof(std::uint64_t));
    }

    // Replaces the old file.
    Result<> publish();

private:
    NewFile(std::filesystem::path path, Descriptor file, std::span<std::uint64_t> words);

    std::filesystem::path path_;
    Descriptor file_;
    std::span<std::uint64_t> words_;
    bool published_ = false;
};

}  // namespace parley::limits::local
