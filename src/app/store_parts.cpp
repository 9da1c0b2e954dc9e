#include "app/store_parts.hpp"

#include "app/plugins.hpp"
#include "base/clock.hpp"
#include "base/run.hpp"

namespace parley::app {
namespace {

auth::LoginTimes login_times(const Settings& settings)
{
    return {.access = std::chrono::seconds(settings.access_ttl_s),
            .refresh = std::chrono::seconds(settings.refresh_ttl_s),
            .grace = std::chrono::seconds(settings.refresh_grace_s)};
}

}  // namespace

People::People(store::Store& store, const auth::LoginTimes& times)
    : gate(store.tokens(), system_clock()),
      accounts(store, hasher, gate, system_clock()),
      logins(store, hasher, gate, system_clock(), times),
      tokens(store, gate, system_clock())
{
}

StoreParts::StoreParts(DataDirectory directory)
    : directory_(std::move(directory)), backups_{directory_.paths().directory}
{
}

Result<std::unique_ptr<StoreParts>> StoreParts::open(DataDirectory directory,
                                                     const Settings& settings,
                                                     api::Metrics& metrics)
{
    std::unique_ptr<StoreParts> parts(new StoreParts(std::move(directory)));
    auto store = open_store(settings, parts->paths(), metrics);
    if (!store) return store.error();
    parts->store_ = std::move(*store);
    auto key = run(parts->store_->keys().key_for("cursors"));
    if (!key) return key.error();
    parts->cursors_ = std::make_unique<api::Cursors>(std::move(*key));
    parts->people_ = std::make_unique<People>(*parts->store_, login_times(settings));
    return parts;
}

void StoreParts::add_to(api::Services& services)
{
    services.add(*store_);
    services.add(*cursors_);
    services.add(backups_);
    services.add(people_->accounts);
    services.add(people_->logins);
    services.add(people_->tokens);
    services.add(people_->setup_code);
    services.add(system_clock());
}

}  // namespace parley::app
