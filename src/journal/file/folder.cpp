#include "journal/file/folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace parley::journal::file {
namespace {

constexpr std::string_view suffix = ".segment";
constexpr std::uint32_t max_number = 4'000'000'000;

std::string name_of(std::uint32_t number) { return fmt::format("{:08}{}", number, suffix); }

std::optional<std::uint32_t> number_of(std::string_view name)
{
    std::uint32_t number = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), number).ptr;
    // Each number has exactly one name, and there is always a next number.
    return number > 0 && number < max_number && end != name.data() && name == name_of(number)
               ? std::optional(number)
               : std::nullopt;
}

Error cannot(std::string_view what, const std::string& path)
{
    return storage_error(fmt::format("The journal in {} cannot be {}: {}.", path, what,
                                     std::generic_category().message(errno)));
}

}  // namespace

Folder::Folder(std::filesystem::path path, File handle)
    : path_(std::move(path)), handle_(std::move(handle))
{
}

Result<Folder> Folder::open(std::filesystem::path path)
{
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return cannot("created", path);
    File handle(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (handle.descriptor() < 0) return cannot("opened", path);
    if (::flock(handle.descriptor(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return cannot("locked", path);
        return Error{Errc::storage_unavailable,
                     fmt::format("The journal in {} is in use: stop the other server first.",
                                 path.string())};
    }
    if (::fchmod(handle.descriptor(), 0700) != 0) return cannot("made private", path);
    return Folder(std::move(path), std::move(handle));
}

Result<std::vector<std::uint32_t>> Folder::segments() const
{
    std::vector<std::uint32_t> numbers;
    std::error_code failure;
    for (std::filesystem::directory_iterator each(path_, failure), end; !failure && each != end;
         each.increment(failure))
        if (const auto number = number_of(each->path().filename().native()))
            numbers.push_back(*number);
    if (failure)
        return Error{Errc::storage_unavailable,
                     fmt::format("The journal in {} cannot be listed: {}.", path_.string(),
                                 failure.message())};
    std::ranges::sort(numbers);
    return numbers;
}

Result<File> Folder::open_segment(std::uint32_t number) const
{
    // Does not follow a link, and does not wait for the other end of a pipe.
    File file(::openat(handle_.descriptor(), name_of(number).c_str(),
                       O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.descriptor() < 0) return cannot("opened", path_of(number));
    struct stat status{};
    if (::fstat(file.descriptor(), &status) != 0) return cannot("examined", path_of(number));
    if (!S_ISREG(status.st_mode))
        return Error{Errc::storage_unavailable,
                     fmt::format("{} is not a file: move it away.", path_of(number))};
    return file;
}

Result<File> Folder::create_segment(std::uint32_t number) const
{
    File file(::openat(handle_.descriptor(), name_of(number).c_str(),
                       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.descriptor() < 0) return storage_error("The journal cannot create a new file.");
    return file;
}

Result<> Folder::remove_segment(std::uint32_t number) const
{
    if (::unlinkat(handle_.descriptor(), name_of(number).c_str(), 0) != 0 && errno != ENOENT)
        return storage_error("A file of the journal cannot be deleted.");
    return {};
}

Result<> Folder::set_aside(std::uint32_t number) const
{
    const std::string name = name_of(number);
    if (::renameat(handle_.descriptor(), name.c_str(), handle_.descriptor(),
                   (name + ".damaged").c_str()) != 0)
        return cannot("renamed", path_of(number));
    return {};
}

std::string Folder::path_of(std::uint32_t number) const { return path_ / name_of(number); }

}  // namespace parley::journal::file
