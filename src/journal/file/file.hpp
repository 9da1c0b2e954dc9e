// An open file that is read and written at offsets, without a file position.
//
// Threads: reads from any thread, also while one other thread writes elsewhere in the file.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace parley::journal::file {

// The error of a system call that has just failed: a message for people, errno for the log.
Error storage_error(std::string sentence);

class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    File& operator=(File&& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~File();

    int descriptor() const { return descriptor_; }

    Result<std::uint64_t> size() const;

    // Reads until the buffer is full or the file ends; returns the number of bytes.
    Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) const;

    // Writes all the bytes. After a failure some of them may have been written.
    Result<> write_at(std::uint64_t offset, std::string_view bytes);

    // Truncates the file.
    Result<> cut(std::uint64_t size);

private:
    int descriptor_;
};

}  // namespace parley::journal::file
