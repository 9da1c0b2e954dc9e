#include "store/sqlite/opening.hpp"

#include "base/log.hpp"
#include "store/sqlite/schema.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace parley::store::sqlite {
namespace {

Error refused(const std::filesystem::path& file, const std::string& why, std::string detail = {})
{
    return {Errc::storage_unavailable, "The database " + file.string() + " " + why,
            std::move(detail)};
}

Error damaged(const std::filesystem::path& file, std::string detail)
{
    return refused(file,
                   "is damaged and was left as it is. Move it away and restore a backup into an "
                   "empty directory: parley restore FILE --data DIR",
                   std::move(detail));
}

Error cannot_be_used(const std::filesystem::path& file, const Failure& failure)
{
    if (failure.kind() == Failure::Kind::damage) return damaged(file, failure.what());
    switch (failure.code() & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return refused(file, "is in use by another program; close that first.", failure.what());
        case SQLITE_FULL:
            return refused(file, "cannot be opened because its disk is full; free some space.",
                           failure.what());
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_CANTOPEN:
            return refused(file,
                           "cannot be written to; make its directory writable for this user, or "
                           "give another one with --data.",
                           failure.what());
        default:
            return refused(file, "cannot be used: " + std::string(failure.what()) + ".");
    }
}

// SQLite would make the file readable for everybody.
Result<> make_private(const std::filesystem::path& file)
{
    const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return refused(file, "cannot be opened: " + std::generic_category().message(errno) +
                                 ". Make its directory writable for this user, or give another one "
                                 "with --data.");
    close(fd);
    return {};
}

// Tells now and then that the check of a large file is still going on.
class Progress {
public:
    explicit Progress(Database& database, const std::filesystem::path& file)
        : handle_(database.handle()), file_(file.string())
    {
        constexpr int steps_between_looks_at_the_clock = 100'000;
        sqlite3_progress_handler(
            handle_, steps_between_looks_at_the_clock,
            [](void* self) { return static_cast<Progress*>(self)->look(); }, this);
    }
    ~Progress() { sqlite3_progress_handler(handle_, 0, nullptr, nullptr); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

private:
    int look()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now >= next_) {
            log::info("checking the database", log::kv("file", file_), log::kv("ms", now - begun_));
            next_ = now + std::chrono::seconds(5);
        }
        return 0;
    }

    sqlite3* handle_;
    std::string file_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point next_ = begun_ + std::chrono::seconds(2);
};

Result<Found> examine_open(Database& database, const std::filesystem::path& file)
{
    const std::int64_t version = database.integer("PRAGMA user_version");
    const std::int64_t owner = database.integer("PRAGMA application_id");
    if (owner == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0) return Found{};
    if (owner != application_id)
        return refused(file,
                       "belongs to another program and was left as it is; give another "
                       "directory with --data.");
    if (version > newest_version())
        return refused(file, "was written by a newer Parley (schema " + std::to_string(version) +
                                 ", this one knows " + std::to_string(newest_version()) +
                                 ") and was left as it is; start that version again.");
    const Progress progress(database, file);
    const std::string verdict = database.text("PRAGMA quick_check(1)");
    if (verdict != "ok") return damaged(file, verdict);
    return Found{version};
}

// A crash while the database was made, or turned to a write-ahead log, leaves a rollback journal.
// Only a connection that may write can play it back; reading fails until then.
void play_back_journal(const std::filesystem::path& file, const char* vfs)
{
    std::filesystem::path journal = file;
    journal += "-journal";
    if (!std::filesystem::exists(journal)) return;
    Database(file, Database::Access::write, vfs).integer("SELECT count(*) FROM sqlite_schema");
}

// A restore that was killed must not be taken for an empty beginning.
Result<> refuse_half_restored(const std::filesystem::path& file)
{
    const std::filesystem::path part = unfinished(file);
    if (!std::filesystem::exists(part)) return {};
    return refused(file, "holds an interrupted restore; run `parley restore` again, or remove " +
                             part.string() + " to start without it.");
}

// SQLite would take the place of a lost database for a new one, and drop the log beside it.
Result<> refuse_log_without_database(const std::filesystem::path& file)
{
    const auto size_of = [](const std::filesystem::path& path) {
        std::error_code missing;
        const auto size = std::filesystem::file_size(path, missing);
        return missing ? 0 : size;
    };
    std::filesystem::path log = file;
    log += "-wal";
    if (size_of(file) > 0 || size_of(log) == 0) return {};
    return damaged(file, "it is empty or missing, but " + log.filename().string() + " is not");
}

}  // namespace

std::filesystem::path unfinished(const std::filesystem::path& file)
{
    std::filesystem::path part = file;
    part += ".part";
    return part;
}

Result<Found> examine(const std::filesystem::path& file, const char* vfs)
{
    try {
        Database database(file, Database::Access::read, vfs);
        return examine_open(database, file);
    } catch (const Failure& failure) {
        return cannot_be_used(file, failure);
    }
}

Result<Database> open_for_writing(const Options& options)
{
    if (auto whole = refuse_half_restored(options.file); !whole) return whole.error();
    if (auto whole = refuse_log_without_database(options.file); !whole) return whole.error();
    if (auto made = make_private(options.file); !made) return made.error();
    try {
        play_back_journal(options.file, options.vfs);
    } catch (const Failure& failure) {
        return cannot_be_used(options.file, failure);
    }
    if (auto found = examine(options.file, options.vfs); !found) return found.error();
    try {
        Database database(options.file, Database::Access::write, options.vfs);
        if (sqlite3_db_readonly(database.handle(), "main") != 0)
            throw Failure(SQLITE_READONLY, "the file is read-only");
        // A power cut after a commit must not undo it: with NORMAL it would.
        database.execute("PRAGMA synchronous=FULL");
        database.text("PRAGMA journal_mode=WAL");
        database.execute("PRAGMA wal_autocheckpoint=0");  // The writer does it when it is idle.
        database.execute("PRAGMA journal_size_limit=67108864");
        migrate(database);
        return database;
    } catch (const Failure& failure) {
        return cannot_be_used(options.file, failure);
    }
}

Database open_in_memory()
{
    Database database(":memory:", Database::Access::write);
    for (const char* step : migrations()) apply_step(database, step);
    return database;
}

}  // namespace parley::store::sqlite
