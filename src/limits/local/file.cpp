#include "limits/local/file.hpp"

#include "limits/local/earlier_layout.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::limits::local {
namespace {

Error failure(const std::filesystem::path& path, std::string_view what, int reason,
              std::string_view remedy)
{
    return {Errc::storage_unavailable,
            fmt::format("The rate-limit file {} cannot be {}: {}. {}", path.string(), what,
                        std::strerror(reason), remedy)};
}

Error in_use(const std::filesystem::path& path)
{
    return {Errc::storage_unavailable,
            fmt::format("Another program uses the rate-limit file {}. Stop it first, or give this "
                        "one its own data directory.",
                        path.string())};
}

std::filesystem::path new_name(std::filesystem::path path) { return path += ".new"; }

bool lock(const Descriptor& file) { return flock(file.get(), LOCK_EX | LOCK_NB) == 0; }

// Whether the path still refers to the open file: another program may have moved it.
bool is_at(const Descriptor& file, const std::filesystem::path& path)
{
    struct stat open{};
    struct stat there{};
    return fstat(file.get(), &open) == 0 && stat(path.c_str(), &there) == 0 &&
           open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

// Whether all bytes were read; errno is the reason, or 0 if the file is too short.
bool read_whole(const Descriptor& file, std::uint64_t offset, std::span<std::byte> out)
{
    while (!out.empty()) {
        const ssize_t bytes = pread(file.get(), out.data(), out.size(), static_cast<off_t>(offset));
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes == 0) errno = 0;
        if (bytes <= 0) return false;
        out = out.subspan(static_cast<std::size_t>(bytes));
        offset += static_cast<std::uint64_t>(bytes);
    }
    return true;
}

void sync_folder(const std::filesystem::path& path)
{
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.get() >= 0) fsync(opened.get());
}

// The header of a file of this version or the previous one; otherwise nothing.
std::optional<Header> understood(std::span<const std::byte> page)
{
    Header header;
    std::memcpy(&header, page.data(), sizeof header);
    if (is_sound(header)) return header;
    EarlierHeader earlier;
    std::memcpy(&earlier, page.data(), sizeof earlier);
    return translated(earlier);
}

constexpr std::string_view check_disk = "Check the disk.";
constexpr std::string_view check_folder = "Check that the data directory exists and is writable.";

}  // namespace

Descriptor::~Descriptor()
{
    if (fd_ >= 0) close(fd_);
}

Result<std::optional<OldFile>> OldFile::open(const std::filesystem::path& path)
{
    OldFile old;
    old.path_ = path;
    old.file_ = Descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (old.file_.get() < 0) {
        if (errno == ENOENT) return std::optional<OldFile>();
        return failure(path, "opened", errno,
                       "It must be a file that this user may read and write.");
    }
    if (!lock(old.file_) || !is_at(old.file_, path)) return in_use(path);

    std::array<std::byte, tables_begin> page{};
    struct stat status{};
    if (!read_whole(old.file_, 0, page)) {
        if (errno != 0) return failure(path, "read", errno, check_disk);
    } else if (const auto header = understood(page);
               header && fstat(old.file_.get(), &status) == 0 &&
               static_cast<std::uint64_t>(status.st_size) == file_bytes(tables_of(*header))) {
        old.header_ = header;
    }
    return std::optional(std::move(old));
}

Result<> OldFile::read(std::uint64_t offset, std::span<std::uint64_t> words) const
{
    if (!read_whole(file_, offset, std::as_writable_bytes(words)))
        return failure(path_, "read", errno != 0 ? errno : EIO, check_disk);
    return {};
}

NewFile::NewFile(std::filesystem::path path, Descriptor file, std::span<std::uint64_t> words)
    : path_(std::move(path)), file_(std::move(file)), words_(words)
{
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      words_(std::exchange(other.words_, {})),
      published_(other.published_)
{
}

NewFile::~NewFile()
{
    if (words_.empty()) return;
    munmap(words_.data(), words_.size_bytes());
    if (!published_) unlink(new_name(path_).c_str());
}

Result<NewFile> NewFile::make(const std::filesystem::path& path, std::uint64_t bytes)
{
    const auto name = new_name(path);
    Descriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file.get() < 0) return failure(path, "created", errno, check_folder);
    if (!lock(file) || !is_at(file, name)) return in_use(path);

    // Discards the remains of a start that was killed.
    int reason = ftruncate(file.get(), 0) == 0 ? 0 : errno;
    if (reason == 0 && fchmod(file.get(), 0600) != 0) reason = errno;
    if (reason == 0) reason = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
    void* memory = MAP_FAILED;
    if (reason == 0) {
        memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
        if (memory == MAP_FAILED) reason = errno;
    }
    if (reason != 0) {
        unlink(name.c_str());
        return failure(path, "created", reason,
                       fmt::format("It needs {} MiB of disk; free that much.",
                                   (bytes + (1U << 20) - 1) >> 20));
    }
    return NewFile(path, std::move(file),
                   {static_cast<std::uint64_t*>(memory), bytes / sizeof(std::uint64_t)});
}

Result<> NewFile::publish()
{
    if (fsync(file_.get()) != 0) return failure(path_, "written", errno, check_disk);
    if (rename(new_name(path_).c_str(), path_.c_str()) != 0)
        return failure(path_, "renamed", errno, check_folder);
    published_ = true;
    sync_folder(path_);
    return {};
}

}  // namespace parley::limits::local
