#include "app/store_parts.hpp"

#include "base/block_on.hpp"
#include "base/boot_clock.hpp"

namespace parley::app {
namespace {

// Empty if there is none: nothing is known of an earlier server then.
std::string kept_time(const DataPaths& paths)
{
    auto text = read_private(paths.clock());
    return text ? std::move(*text) : std::string();
}

}  // namespace

StoreParts::StoreParts(DataDirectory directory)
    : directory_(std::move(directory)),
      backups_{directory_.paths().directory},
      time_(boot_clock(), boot_id(), kept_time(directory_.paths()))
{
}

Result<std::unique_ptr<StoreParts>> StoreParts::open(DataDirectory directory,
                                                     const Settings& settings,
                                                     metrics::Metrics& metrics, StoreUser user)
{
    std::unique_ptr<StoreParts> parts(new StoreParts(std::move(directory)));
    parts->backups_.min_free_bytes = settings.min_free_bytes;
    auto store = open_store(settings, parts->paths(), metrics, user, parts->connection_name_);
    if (!store) return store.error();
    parts->store_ = std::move(*store);
    auto key = block_on(parts->store_->keys().key_for("cursors"));
    if (!key) return key.error();
    parts->cursors_ = std::make_unique<api::Cursors>(std::move(*key));
    const OwnLimits limits{
        .chat = settings.limits.chat,
        .general = settings.limits.general,
        .automation = static_cast<std::uint32_t>(settings.automations.starts_per_minute)};
    parts->people_ =
        std::make_unique<auth::Services>(*parts->store_, parts->time_, settings.logins, limits);
    if (!settings.postgres.url.empty()) {
        const auto setup = block_on(parts->store_->keys().key_for("setup"));
        if (!setup) return setup.error();
        parts->people_->setup_code = auth::SetupCode(*setup);
    }
    parts->invitations_ = {settings.pipeline.public_url};
    return parts;
}

void StoreParts::add_to(api::Services& services)
{
    services.add(*store_);
    services.add(*cursors_);
    services.add(backups_);
    services.add(backup_places_);
    services.add(people_->accounts);
    services.add(people_->logins);
    services.add(people_->identities);
    services.add(people_->second_factors);
    services.add(people_->tokens);
    services.add(people_->setup_code);
    services.add(std::as_const(invitations_));
    services.add(std::as_const(time_));
    // Endpoints ask a clock what has expired.
    services.add(static_cast<const Clock&>(time_));
}

}  // namespace parley::app
