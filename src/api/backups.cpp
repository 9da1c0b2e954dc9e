#include "api/backups.hpp"

#include "api/api.hpp"
#include "api/backup_places.hpp"
#include "api/wire/backup.hpp"
#include "base/id.hpp"
#include "base/trusted_time.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

constexpr std::chrono::days backups_keep{1};

bool is_backup(const std::filesystem::path& file)
{
    const std::string name = file.filename().string();
    return name.starts_with("backup_") && name.ends_with(".db");
}

Task<Result<BackupView>> create_backup(store::Store& store, const BackupFolder& folder,
                                       BackupPlaces& places, const TrustedTime& time,
                                       With<auth::Scope::admin> caller, Origin origin)
{
    if (time.may_sweep())
        remove_old_backups(folder.path, std::filesystem::file_time_type::clock::now());
    const std::string name = new_id("backup", time.wall().now()) + ".db";
    const auto place = places.take(folder.path / name);
    if (!place) co_return place.error();
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

std::vector<std::string> backups_in(const std::filesystem::path& folder)
{
    std::error_code ignored;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (is_backup(entry.path())) names.push_back(entry.path().filename().string());
    return names;
}

void remove_old_backups(const std::filesystem::path& folder, std::filesystem::file_time_type now)
{
    for (const std::string& name : backups_in(folder)) {
        std::error_code gone;  // It was fetched meanwhile.
        const auto written = std::filesystem::last_write_time(folder / name, gone);
        if (!gone && now - written > backups_keep) std::filesystem::remove(folder / name, gone);
    }
}

std::vector<Route> backup_routes()
{
    return {route<create_backup>("POST", "/v1/api/backups", "createBackup",
                                 "Copy all data into a file")};
}

}  // namespace parley::api
