#include "api/backups.hpp"

#include "api/api.hpp"
#include "api/wire/backup.hpp"
#include "base/clock.hpp"
#include "base/id.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

Task<Result<BackupView>> create_backup(store::Store& store, const BackupFolder& folder,
                                       const Clock& clock, With<auth::Scope::admin> caller,
                                       Origin origin)
{
    const std::string name = new_id("backup", clock.now()) + ".db";
    const auto size = co_await store.back_up(folder.path / name);
    if (!size) co_return size.error();
    const auto noted = co_await store.audit().append(
        auth::audit_event(clock, caller->actor, "backup.made", name, origin));
    // The backup succeeded. If the disk fails, a missing audit event must not make it look failed:
    // a backup is the way to save the data.
    if (!noted && noted.error().code != Errc::storage_unavailable) co_return noted.error();
    co_return BackupView{.file = name, .bytes = static_cast<std::int64_t>(*size)};
}

}  // namespace

std::vector<Route> backup_routes()
{
    return {route<create_backup>("POST", "/v1/api/backups", "Copy all data into a file")};
}

}  // namespace parley::api
