// The store of a data directory, and the services that need only the store: users, tokens, audit
// and backups. A command that runs without a server has only this; a server has more
// (server_components.hpp).
#pragma once

#include "api/backup_places.hpp"
#include "api/backups.hpp"
#include "api/cursor.hpp"
#include "api/invitation_links.hpp"
#include "api/services.hpp"
#include "app/adapters.hpp"
#include "app/data_directory.hpp"
#include "app/settings.hpp"
#include "auth/auth.hpp"
#include "base/trusted_time.hpp"
#include "metrics/metrics.hpp"
#include "store/store.hpp"

#include <memory>

namespace parley::app {

class StoreParts {
public:
    // Opens the store in a directory that this process has locked, and creates it if it is missing;
    // no other file is touched. Fails with a message for the operator. The metrics must outlive the
    // result.
    static Result<std::unique_ptr<StoreParts>> open(DataDirectory directory,
                                                    const Settings& settings,
                                                    metrics::Metrics& metrics, StoreUser user);

    StoreParts(const StoreParts&) = delete;
    StoreParts& operator=(const StoreParts&) = delete;

    void add_to(api::Services& services);
    DataDirectory& directory() { return directory_; }
    const DataPaths& paths() const { return directory_.paths(); }
    store::Store& store() { return *store_; }
    const store::Store& store() const { return *store_; }
    auth::Services& people() { return *people_; }
    TrustedTime& time() { return time_; }
    const ConnectionName& connection_name() const { return connection_name_; }

private:
    explicit StoreParts(DataDirectory directory);

    DataDirectory directory_;
    api::BackupFolder backups_;
    api::BackupPlaces backup_places_;
    api::InvitationLinks invitations_;
    TrustedTime time_;
    const ConnectionName connection_name_ = std::make_shared<store::postgres::ConnectionName>();
    std::unique_ptr<store::Store> store_;
    std::unique_ptr<api::Cursors> cursors_;
    std::unique_ptr<auth::Services> people_;  // Destroyed before the store, which it uses.
};

}  // namespace parley::app
