#include "app/server_components.hpp"

#include "app/adapters.hpp"
#include "app/first_start.hpp"
#include "app/secrets_key.hpp"
#include "app/version.hpp"
#include "base/block_on.hpp"
#include "base/log.hpp"
#include "models/models.hpp"

namespace parley::app {
namespace {

// POST /v1/api/backups leaves them here; `parley backup` moves its own away, unless it was killed.
// They are acknowledged, so that only people remove them.
void warn_of_backups(const std::filesystem::path& directory)
{
    std::error_code ignored;
    std::size_t files = 0;
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("backup_") || !name.ends_with(".db")) continue;
        ++files;
        if (const auto size = entry.file_size(ignored); !ignored) bytes += size;
    }
    if (files > 0)
        log::warn("backups in the data directory: move them to another disk or delete them",
                  log::kv("files", files), log::kv("bytes", bytes));
}

}  // namespace

ServerComponents::ServerComponents(std::unique_ptr<StoreParts> stored, metrics::Metrics& metrics)
    : stored_(std::move(stored)),
      metrics_(metrics),
      facts_{.version = version, .storage = [this] { return figures(); }}
{
    keep_time();
}

ServerComponents::~ServerComponents()
{
    keep_time();
    metrics_.storage().watch(nullptr);
    // Nobody is to find a server that is gone; what cannot be removed is recognised as stale, since
    // the lock goes with the process.
    for (const auto* name : {"cli-token", "server-address", "setup-link"}) {
        if (const auto removed = stored_->directory().remove(name); !removed)
            log::warn("cannot remove a file of the data directory", log::kv("file", name),
                      log::kv("reason", removed.error().message));
    }
}

Result<std::unique_ptr<ServerComponents>> ServerComponents::open(const Settings& settings,
                                                                 metrics::Metrics& metrics,
                                                                 http::client::Clients& clients)
{
    auto directory = DataDirectory::open(settings.data);
    if (!directory) return directory.error();
    auto space = std::make_unique<FreeSpace>(settings.data, settings.min_free_bytes);
    static_cast<void>(space->check());  // For its warning.
    warn_of_backups(settings.data);
    auto stored = StoreParts::open(std::move(*directory), settings, metrics, StoreUser::server);
    if (!stored) return stored.error();
    std::unique_ptr<ServerComponents> parts(new ServerComponents(std::move(*stored), metrics));
    parts->free_space_ = std::move(space);
    parts->events_keep_ = settings.events_keep;
    if (auto opened = parts->open_files(settings); !opened) return opened.error();
    if (auto opened = parts->open_rules(settings, clients); !opened) return opened.error();
    metrics.storage().watch([&kept = *parts] { return kept.figures(); });
    return parts;
}

Result<> ServerComponents::open_files(const Settings& settings)
{
    const DataPaths& paths = stored_->paths();
    auto journal = open_journal(paths);
    if (!journal) return journal.error();
    journal_ = std::move(*journal);
    auto limiter = open_limiter(settings, paths);
    if (!limiter) return limiter.error();
    limiter_ = std::move(*limiter);
    return {};
}

Result<> ServerComponents::open_rules(const Settings& settings, http::client::Clients& clients)
{
    auth::Services& people = stored_->people();
    const auto key = secrets_key(settings, store());
    if (!key) return key.error();
    sealer_.emplace(*key);
    auto conversations = ChatServices::open(settings, store(), *journal_, people.gate, *sealer_,
                                            stored_->time(), metrics_.chat(), clients,
                                            [&space = *free_space_] { return space.check(); });
    if (!conversations) return conversations.error();
    conversations_ = std::move(*conversations);
    auto webhooks = WebhookServices::open(settings, {.store = store(),
                                                     .runs = conversations_->runs(),
                                                     .automations = conversations_->automations(),
                                                     .errors = conversations_->errors(),
                                                     .sealer = *sealer_,
                                                     .time = stored_->time(),
                                                     .metrics = metrics_.webhooks(),
                                                     .loops = webhook_loops_});
    if (!webhooks) return webhooks.error();
    webhooks_ = std::move(*webhooks);
    auto token = client_token(stored_->directory(), store(), people.tokens);
    if (!token) return token.error();
    web_app_.client_token = std::move(*token);
    web_app_.contact = settings.pipeline.contact;
    web_app_.version = version;
    if (models::default_model(settings.models, settings.data) == models::embedded_model)
        web_app_.note = models::about_embedded_model;
    return {};
}

void ServerComponents::add_to(api::Services& services)
{
    stored_->add_to(services);
    services.add(*limiter_);
    services.add(web_app_);
    services.add(std::as_const(facts_));
    conversations_->add_to(services);
    webhooks_->add_to(services);
}

Result<> ServerComponents::begin_work(std::span<const Executor> loops)
{
    if (auto resumed = conversations_->resume_unfinished(loops); !resumed) return resumed;
    webhooks_->start();
    return {};
}

void ServerComponents::end_work()
{
    conversations_->close();
    webhooks_->close();
}

void ServerComponents::keep_time()
{
    stored_->time().look();
    const std::string text = stored_->time().text();
    if (const auto kept = stored_->directory().write_private("clock", text); !kept)
        log::debug("cannot save the trusted time for the next start",
                   log::kv("reason", kept.error().message));
}

void ServerComponents::remove_old_events()
{
    const TrustedTime& time = stored_->time();
    constexpr std::size_t at_once = 1000;
    constexpr int most_rounds = 20;  // Signals wait until this returns.
    for (int round = 0; time.may_sweep() && round < most_rounds; ++round) {
        const auto removed = block_on(store().events().sweep(time.now() - events_keep_, at_once));
        if (!removed)
            log::debug("cannot remove old events", log::kv("reason", removed.error().message));
        if (!removed || *removed < at_once) return;
    }
}

Result<> ServerComponents::announce(const std::string& url, const std::string& certificate)
{
    DataDirectory& directory = stored_->directory();
    if (auto told = directory.announce(url); !told) return told;
    const auto token = command_line_token().reveal();
    if (auto told = directory.write_private("cli-token", token); !told) return told;
    return directory.write_private("server-address",
                                   certificate.empty() ? url : url + " " + certificate);
}

Result<std::optional<std::string>> ServerComponents::make_setup_link(const std::string& url)
{
    return setup_link(stored_->directory(), store(), stored_->people().setup_code, url);
}

metrics::StorageFigures ServerComponents::figures() const
{
    const store::Figures store = stored_->store().figures();
    const journal::Figures journal = journal_->figures();
    return {.store_bytes = store.bytes,
            .store_log_bytes = store.log_bytes,
            .writes_waiting = store.writes_waiting,
            .reads_waiting = store.reads_waiting,
            .journal_bytes = journal.bytes_on_disk,
            .journal_segments = journal.segments,
            .journal_waiting = journal.queued_bytes,
            .journal_records = journal.records,
            .journal_batches = journal.batches,
            .disk_free_bytes = free_bytes(stored_->paths().directory)};
}

}  // namespace parley::app
