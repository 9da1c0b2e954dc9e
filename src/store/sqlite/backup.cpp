#include "store/sqlite/backup.hpp"

#include "base/log.hpp"
#include "store/sqlite/opening.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
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

bool sync(const std::filesystem::path& path)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    return synced;
}

// A file that has its name only once it is complete and synced. What is left of one that was never
// finished is written over.
class NewFile {
public:
    explicit NewFile(std::filesystem::path file) : file_(std::move(file)), part_(unfinished(file_))
    {
    }
    ~NewFile()
    {
        if (made_) std::filesystem::remove(part_, ignored_);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    const std::filesystem::path& part() const { return part_; }

    Result<> make()
    {
        if (std::filesystem::exists(file_, ignored_))
            return cannot_write(file_, "a file of this name already exists");
        const int fd =
            open(part_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0) return cannot_write(file_, message_of(errno));
        made_ = true;
        // SQLite would play the journal of an earlier attempt back into this one.
        for (const char* rest : {"-journal", "-wal", "-shm"})
            std::filesystem::remove(std::filesystem::path(part_) += rest, ignored_);
        const bool is_private = fchmod(fd, 0600) == 0;
        close(fd);
        return is_private ? Result<>() : cannot_write(file_, message_of(errno));
    }

    Result<std::uint64_t> keep()
    {
        if (!sync(part_)) return cannot_write(file_, message_of(errno));
        // Unlike rename(), never over a file that came there meanwhile.
        if (link(part_.c_str(), file_.c_str()) != 0) return cannot_write(file_, message_of(errno));
        std::filesystem::remove(part_, ignored_);
        made_ = false;
        if (!sync(std::filesystem::absolute(file_).parent_path()))
            return cannot_write(file_, message_of(errno));
        return std::filesystem::file_size(file_, ignored_);
    }

private:
    std::filesystem::path file_;
    std::filesystem::path part_;
    bool made_ = false;
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
        Database target(made.part(), Database::Access::write);
        // The copy is not seen before it is complete, and keep() syncs it once.
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
        return Error{Errc::storage_unavailable, backup.string() + " holds no Parley data."};
    try {
        Database source(backup, Database::Access::read);
        return copy_database(source, file, false);
    } catch (const Failure& failure) {
        return Error{Errc::storage_unavailable,
                     "The backup " + backup.string() + " cannot be read: " + failure.what() + "."};
    }
}

}  // namespace parley::store::sqlite
