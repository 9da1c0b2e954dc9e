#include "api/backups.hpp"

#include "api/api.hpp"
#include "api/wire/backup.hpp"
#include "base/id.hpp"
#include "base/trusted_time.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

constexpr std::chrono::days backups_keep{1};
// Each is as large as the database.
constexpr std::size_t most_backups = 8;

bool is_backup(const std::filesystem::path& file)
{
    const std::string name = file.filename().string();
    return name.starts_with("backup_") && name.ends_with(".db");
}

Error too_many_backups()
{
    return {Errc::conflict,
            "There are " + std::to_string(most_backups) +
                " backups in the data directory. Move them to another disk or delete them."};
}

Task<Result<BackupView>> create_backup(store::Store& store, const BackupFolder& folder,
                                       const TrustedTime& time, With<auth::Scope::admin> caller,
                                       Origin origin)
{
    const std::size_t left =
        time.may_sweep()
            ? remove_old_backups(folder.path, std::filesystem::file_time_type::clock::now())
            : count_backups(folder.path);
    if (left >= most_backups) co_return too_many_backups();
    const std::string name = new_id("backup", time.wall().now()) + ".db";
    const auto size = co_await store.back_up(folder.path / name);
    if (!size) co_return size.error();
    const auto noted = co_await store.audit().append(
        auth::audit_event(time.wall(), caller->actor, "backup.made", name, origin));
    // The backup succeeded. If the disk fails, a missing audit event must not make it look failed:
    // a backup is the way to save the data.
    if (!noted && noted.error().code != Errc::storage_unavailable) co_return noted.error();
    co_return BackupView{.file = name, .bytes = static_cast<std::int64_t>(*size)};
}

}  // namespace

std::size_t count_backups(const std::filesystem::path& folder)
{
    std::error_code ignored;
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (is_backup(entry.path())) ++found;
    return found;
}

std::size_t remove_old_backups(const std::filesystem::path& folder,
                               std::filesystem::file_time_type now)
{
    std::error_code ignored;
    std::size_t left = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (!is_backup(entry.path())) continue;
        std::error_code gone;  // It was fetched meanwhile.
        const auto written = entry.last_write_time(gone);
        if (gone) continue;
        const bool is_old = now - written > backups_keep;
        if (!is_old || !std::filesystem::remove(entry.path(), gone)) ++left;
    }
    return left;
}

std::vector<Route> backup_routes()
{
    return {route<create_backup>("POST", "/v1/api/backups", "createBackup",
                                 "Copy all data into a file")};
}

}  // namespace parley::api
