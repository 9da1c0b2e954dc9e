#include "store/sqlite/backup.hpp"

#include "base/log.hpp"
#include "store/sqlite/opening.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace parley::store::sqlite {
namespace {

constexpr int pages_at_once = 1024;

std::string message_of(int error) { return std::generic_category().message(error); }

Error cannot_write(const std::filesystem::path& file, const std::string& why)
{
    return {Errc::storage_unavailable,
            "The backup " + file.string() + " cannot be written: " + why + "."};
}

// A file that exists only once it is complete: removed again unless it is kept.
class NewFile {
public:
    explicit NewFile(std::filesystem::path file) : file_(std::move(file)) {}
    ~NewFile()
    {
        if (!kept_ && made_) std::filesystem::remove(file_, ignored_);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    Result<> make()
    {
        const int fd = open(file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0) return cannot_write(file_, message_of(errno));
        close(fd);
        made_ = true;
        return {};
    }

    // Synced, with its directory: from now on it survives a power cut.
    Result<std::uint64_t> keep()
    {
        for (const auto& each : {file_, std::filesystem::absolute(file_).parent_path()}) {
            const int fd = open(each.c_str(), O_RDONLY | O_CLOEXEC);
            const bool synced = fd >= 0 && fsync(fd) == 0;
            const int failure = errno;
            if (fd >= 0) close(fd);
            if (!synced) return cannot_write(file_, message_of(failure));
        }
        kept_ = true;
        return std::filesystem::file_size(file_, ignored_);
    }

private:
    std::filesystem::path file_;
    bool made_ = false;
    bool kept_ = false;
    std::error_code ignored_;
};

struct Finish {
    void operator()(sqlite3_backup* copying) const { sqlite3_backup_finish(copying); }
};

void copy_pages(Database& source, Database& target, const std::atomic<bool>& stop)
{
    const std::unique_ptr<sqlite3_backup, Finish> copying(
        sqlite3_backup_init(target.handle(), "main", source.handle(), "main"));
    if (!copying) fail(target.handle(), "backup");
    for (;;) {
        const int step = sqlite3_backup_step(copying.get(), pages_at_once);
        if (step == SQLITE_DONE) return;
        if (step != SQLITE_OK) throw Failure(step, sqlite3_errstr(step));
        if (stop) throw Failure(SQLITE_INTERRUPT, "the server is shutting down");
    }
}

// The copy is one file: no log beside it that could be forgotten.
void become_one_file(Database& target) { target.text("PRAGMA journal_mode=DELETE"); }

}  // namespace

Result<std::uint64_t> copy_database(Database& source, const std::filesystem::path& file,
                                    const std::atomic<bool>& stop)
{
    NewFile made(file);
    if (auto done = made.make(); !done) return done.error();
    try {
        Database target(file, Database::Access::write);
        // Nobody sees the copy before it is complete, and keep() syncs it once.
        target.execute("PRAGMA synchronous=OFF");
        copy_pages(source, target, stop);
        become_one_file(target);
    } catch (const Failure& failure) {
        return cannot_write(file, failure.what());
    }
    return made.keep();
}

Result<std::uint64_t> restore_database(const std::filesystem::path& backup,
                                       const std::filesystem::path& file)
{
    const auto found = examine(backup);
    if (!found) return found.error();
    if (found->version == 0)
        return Error{Errc::storage_unavailable, backup.string() + " holds no data of Parley."};
    try {
        Database source(backup, Database::Access::read);
        return copy_database(source, file, false);
    } catch (const Failure& failure) {
        return Error{Errc::storage_unavailable,
                     "The backup " + backup.string() + " cannot be read: " + failure.what() + "."};
    }
}

}  // namespace parley::store::sqlite
