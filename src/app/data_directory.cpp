#include "app/data_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_small_file = std::size_t{64} * 1024;

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (number_ >= 0) close(number_);
    }
    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

std::string reason() { return std::strerror(errno); }

Error cannot_use(const fs::path& directory, const std::string& why)
{
    return {Errc::storage_unavailable,
            "The data directory " + directory.string() + " cannot be used: " + why + "."};
}

std::string why_not_made()
{
    if (errno == EROFS) return "its file system is read-only; give another --data";
    if (errno == ENOTDIR || errno == EEXIST)
        return "a file is in its place; move the file away, or give another --data";
    if (errno == EACCES) return "this user may not create it; give another --data";
    return "it cannot be created: " + reason();
}

// All that is missing of a path, for this user alone. std::filesystem would make the upper ones
// readable for everybody.
Result<> make_directories(const fs::path& directory)
{
    fs::path made;
    for (const auto& part : directory) {
        made /= part;
        struct stat about{};
        if (stat(made.c_str(), &about) == 0 && S_ISDIR(about.st_mode)) continue;
        if (mkdir(made.c_str(), S_IRWXU) == 0) continue;
        const int failure = errno;
        // Somebody else may have made it just now, such as another Parley that starts.
        if (stat(made.c_str(), &about) == 0 && S_ISDIR(about.st_mode)) continue;
        errno = failure;
        return cannot_use(directory, why_not_made());
    }
    return {};
}

Result<> check_privacy(const fs::path& directory, const struct stat& about)
{
    if (!S_ISDIR(about.st_mode))
        return cannot_use(directory, "it is not a directory; give another --data");
    if (about.st_uid != geteuid())
        return cannot_use(directory, "it belongs to the user with uid " +
                                         std::to_string(about.st_uid) + ", and this user has uid " +
                                         std::to_string(geteuid()) +
                                         "; run Parley as its owner, or give another --data");
    if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return cannot_use(directory,
                          "other users can read it; run `chmod 700 " + directory.string() + "`");
    return {};
}

// The lock belongs to the open file, not to the process, and asking about it does not take it.
struct flock whole_file()
{
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

// "1234 http://127.0.0.1:8080 http://127.0.0.1:9464" and blanks up to a fixed length: it is
// overwritten in place, which also works on a disk that is full.
constexpr std::size_t holder_bytes = 256;

std::string written(const LockHolder& holder)
{
    std::string text =
        std::to_string(holder.pid) + " " + holder.address + " " + holder.metrics_address;
    text.resize(holder_bytes - 1, ' ');
    return text + "\n";
}

// Removes it from the text.
std::string take_word(std::string_view& text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string word(text.substr(0, text.find_first_of(" \n")));
    text.remove_prefix(word.size());
    return word;
}

LockHolder read_holder(int lock)
{
    std::string text(holder_bytes, '\0');
    const ssize_t got = pread(lock, text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    LockHolder holder;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), holder.pid);
    if (failure != std::errc()) return {};
    std::string_view words(end, text.data() + text.size());
    holder.address = take_word(words);
    holder.metrics_address = take_word(words);
    return holder;
}

Error in_use(const fs::path& directory, const LockHolder& holder)
{
    const std::string who = holder.pid > 0
                                ? "Another Parley (process " + std::to_string(holder.pid) + ")"
                                : std::string("Another Parley");
    return {Errc::conflict,
            who + " uses " + directory.string() + "; stop it, or give another --data."};
}

bool write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t done = write(file, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

}  // namespace

Result<std::optional<LockHolder>> holder_of(const DataPaths& paths)
{
    const Descriptor lock(::open(paths.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (lock.get() < 0) {
        if (errno == ENOENT || errno == ENOTDIR) return std::optional<LockHolder>();
        return cannot_use(paths.directory, "its lock cannot be read: " + reason());
    }
    struct flock question = whole_file();
    if (fcntl(lock.get(), F_OFD_GETLK, &question) != 0)
        return cannot_use(paths.directory, "its lock cannot be read: " + reason());
    if (question.l_type == F_UNLCK) return std::optional<LockHolder>();
    return std::optional(read_holder(lock.get()));
}

Result<> check_privacy(const fs::path& directory)
{
    struct stat about{};
    if (stat(directory.c_str(), &about) != 0) return cannot_use(directory, reason());
    return check_privacy(directory, about);
}

Result<> prepare_data_directory(const fs::path& directory)
{
    if (!fs::exists(directory))
        if (const auto made = DataDirectory::open(directory); !made) return made.error();
    return check_privacy(directory);
}

Result<DataDirectory> DataDirectory::open(const fs::path& path)
{
    if (auto made = make_directories(path); !made) return made.error();
    Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() < 0) return cannot_use(path, reason());
    struct stat about{};
    if (fstat(directory.get(), &about) != 0) return cannot_use(path, reason());
    if (auto checked = check_privacy(path, about); !checked) return checked.error();

    Descriptor lock(openat(directory.get(), "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                           S_IRUSR | S_IWUSR));
    if (lock.get() < 0) return cannot_use(path, errno == EROFS ? why_not_made() : reason());
    struct flock wanted = whole_file();
    if (fcntl(lock.get(), F_OFD_SETLK, &wanted) != 0) {
        if (errno == EAGAIN || errno == EACCES) return in_use(path, read_holder(lock.get()));
        return cannot_use(path, "it cannot be locked: " + reason());
    }
    DataDirectory opened(DataPaths{path}, directory.release(), lock.release());
    if (auto told = opened.announce(""); !told) return told.error();
    return opened;
}

DataDirectory::DataDirectory(DataDirectory&& other) noexcept { swap(other); }

DataDirectory& DataDirectory::operator=(DataDirectory&& other) noexcept
{
    DataDirectory(std::move(other)).swap(*this);
    return *this;
}

DataDirectory::~DataDirectory()
{
    if (lock_ >= 0) close(lock_);
    if (directory_ >= 0) close(directory_);
}

void DataDirectory::swap(DataDirectory& other) noexcept
{
    std::swap(paths_, other.paths_);
    std::swap(directory_, other.directory_);
    std::swap(lock_, other.lock_);
}

Result<> DataDirectory::announce(std::string_view address, std::string_view metrics_address)
{
    const std::string text = written({.pid = getpid(),
                                      .address = std::string(address),
                                      .metrics_address = std::string(metrics_address)});
    if (pwrite(lock_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        return cannot_use(paths_.directory, "its lock cannot be written: " + reason());
    return {};
}

Result<> DataDirectory::write_private(std::string_view name, std::string_view text)
{
    const std::string wanted(name);
    const std::string fresh = "." + wanted + ".new";
    const auto failed = [&] {
        const std::string why = wanted + " cannot be written: " + reason();
        unlinkat(directory_, fresh.c_str(), 0);
        return cannot_use(paths_.directory, why);
    };
    // A crash may have left behind anything under this name.
    if (unlinkat(directory_, fresh.c_str(), 0) != 0 && errno != ENOENT) return failed();
    const Descriptor file(openat(directory_, fresh.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                                 S_IRUSR | S_IWUSR));
    if (file.get() < 0) return failed();
    if (!write_all(file.get(), text) || fsync(file.get()) != 0) return failed();
    if (renameat(directory_, fresh.c_str(), directory_, wanted.c_str()) != 0) return failed();
    if (fsync(directory_) != 0) return failed();
    return {};
}

Result<> DataDirectory::remove(std::string_view name)
{
    const std::string unwanted(name);
    if (unlinkat(directory_, unwanted.c_str(), 0) != 0 && errno != ENOENT)
        return cannot_use(paths_.directory, unwanted + " cannot be removed: " + reason());
    return {};
}

Result<std::string> read_private(const fs::path& path)
{
    const auto failed = [&] {
        return Error{
            errno == ENOENT || errno == ENOTDIR ? Errc::not_found : Errc::storage_unavailable,
            path.string() + " cannot be read: " + reason() + "."};
    };
    const Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (file.get() < 0) return failed();
    std::string text(max_small_file, '\0');
    const ssize_t got = read(file.get(), text.data(), text.size());
    if (got < 0) return failed();
    text.resize(static_cast<std::size_t>(got));
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace parley::app
