#include "journal/file/file.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace parley::journal::file {

Error storage_error(std::string sentence)
{
    return {Errc::storage_unavailable, std::move(sentence), std::generic_category().message(errno)};
}

File::~File()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::uint64_t> File::size() const
{
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0)
        return storage_error("The journal's file cannot be examined.");
    return static_cast<std::uint64_t>(status.st_size);
}

Result<std::size_t> File::read_at(std::uint64_t offset, std::span<char> buffer) const
{
    std::size_t got = 0;
    while (got < buffer.size()) {
        const auto count = ::pread(descriptor_, buffer.data() + got, buffer.size() - got,
                                   static_cast<off_t>(offset + got));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return storage_error("The journal cannot be read at the moment.");
        if (count == 0) break;
        got += static_cast<std::size_t>(count);
    }
    return got;
}

Result<> File::write_at(std::uint64_t offset, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto count =
            ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return storage_error("The journal cannot be written at the moment.");
        bytes.remove_prefix(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

Result<> File::cut(std::uint64_t size)
{
    while (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0)
        if (errno != EINTR) return storage_error("The journal's file cannot be truncated.");
    return {};
}

}  // namespace parley::journal::file
