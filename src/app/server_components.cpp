#include "app/server_components.hpp"

#include "api/backups.hpp"
#include "app/adapters.hpp"
#include "app/first_start.hpp"
#include "app/log_names.hpp"
#include "app/oidc_settings.hpp"
#include "app/secrets_key.hpp"
#include "app/version.hpp"
#include "base/log.hpp"
#include "models/models.hpp"
#include "store/moving.hpp"

#include <chrono>
#include <thread>

namespace parley::app {
namespace {

// At shutdown, imports and exports end after this part of the time in which requests may finish.
constexpr std::chrono::seconds time_to_move{10};

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
    if (cluster_) cluster_->listen({});
    store().events().signal().publish(nullptr);
    stored_->people().authenticator.when_rights_change(nullptr);
    // Others take over the suspended runs at once, when nothing here writes any more.
    webhooks_.reset();
    conversations_.reset();
    sweep_.reset();
    journal_.reset();
    if (cluster_) cluster_->leave();
    // Commands must not find a server that is gone; files that stay are recognised as stale, since
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
    // `parley backup` moves its own away, unless it was killed.
    if (const std::size_t files = api::backups_in(settings.data).size(); files > 0)
        log::warn("backups in the data directory are removed after a day", log::kv("files", files));
    auto stored = StoreParts::open(std::move(*directory), settings, metrics, StoreUser::server);
    if (!stored) return stored.error();
    std::unique_ptr<ServerComponents> parts(new ServerComponents(std::move(*stored), metrics));
    parts->free_space_ = std::move(space);
    parts->sweep_ =
        std::make_unique<EventSweep>(parts->store(), parts->stored_->time(), settings.events_keep);
    if (auto opened = parts->open_files(settings); !opened) return opened.error();
    if (auto opened = parts->open_rules(settings, clients); !opened) return opened.error();
    metrics.storage().watch([&kept = *parts] { return kept.figures(); });
    return parts;
}

Result<> ServerComponents::open_files(const Settings& settings)
{
    const DataPaths& paths = stored_->paths();
    auto cluster = join_cluster(settings, paths, stored_->connection_name());
    if (!cluster) return cluster.error();
    cluster_ = std::move(*cluster);
    keep_incarnation();
    if (!cluster_->is_alone())
        stored_->people().authenticator.trust_cache_while([this] { return cluster_->is_fresh(); });
    auto journal = open_journal(settings, paths, *cluster_, stored_->connection_name());
    if (!journal) return journal.error();
    journal_ = std::move(*journal);
    auto limiter = open_limiter(settings, paths, stored_->connection_name(), store());
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
    people.second_factors.use_key(*key);
    auto provider = open_provider(settings, *key, clients, stored_->time());
    if (!provider) return provider.error();
    provider_ = std::move(*provider);
    if (!settings.oidc.issuer.empty()) web_app_.login_provider = settings.oidc.name;
    auto conversations = ChatServices::open(
        settings, {.store = store(),
                   .journal = *journal_,
                   .cluster = *cluster_,
                   .authenticator = people.authenticator,
                   .sealer = *sealer_,
                   .time = stored_->time(),
                   .metrics = metrics_.chat(),
                   .clients = clients,
                   .check_room = [&space = *free_space_] { return space.check(); }});
    if (!conversations) return conversations.error();
    conversations_ = std::move(*conversations);
    auto webhooks = WebhookServices::open(
        settings,
        {.store = store(),
         .runs = conversations_->runs(),
         .automations = conversations_->automations(),
         .errors = conversations_->errors(),
         .sealer = *sealer_,
         .time = stored_->time(),
         .metrics = metrics_.webhooks(),
         .may_send = [this] { return cluster_->is_first() && cluster_->is_fresh(); },
         .notify_sender =
             [this](const Owner& owner) {
                 cluster_->tell_others({std::string(webhooks_prefix) + name_of_log(owner)});
             },
         .loops = webhook_loops_});
    if (!webhooks) return webhooks.error();
    webhooks_ = std::move(*webhooks);
    people.authenticator.when_rights_change([this](const std::string& user) {
        conversations_->rights_changed(user);
        webhooks_->rights_changed(user);
    });
    auto token = client_token(stored_->directory(), store(), people.tokens);
    if (!token) return token.error();
    web_app_.client_token = std::move(*token);
    web_app_.contact = settings.pipeline.contact;
    web_app_.version = version;
    if (models::default_model(settings.models, settings.data) == models::embedded_model)
        web_app_.note = models::about_embedded_model;
    if (models::offers_embedded_model(settings.models, settings.data))
        web_app_.demonstration_model = models::embedded_model;
    return {};
}

void ServerComponents::add_to(api::Services& services)
{
    stored_->add_to(services);
    services.add(*limiter_);
    services.add(web_app_);
    services.add(std::as_const(facts_));
    services.add(*provider_);
    conversations_->add_to(services);
    webhooks_->add_to(services);
}

Result<> ServerComponents::begin_work(std::span<const Executor> loops)
{
    if (auto resumed = conversations_->resume_unfinished(loops); !resumed) return resumed;
    sweeper_ = loops.front();
    if (cluster_->is_alone())
        webhooks_->start();
    else
        join_others();
    return {};
}

void ServerComponents::join_others()
{
    store().events().signal().publish([this](const std::set<Owner>& owners) {
        std::vector<std::string> names;
        names.reserve(owners.size());
        for (const Owner& owner : owners) names.push_back(name_of_log(owner));
        cluster_->tell_others(names);
    });
    cluster_->listen({.heard = [this](const cluster::Heard& heard) { hear(heard); },
                      .fenced = [this] { conversations_->lose_runs(); },
                      .count_runs = [this] { return conversations_->running(); }});
}

void ServerComponents::hear(const cluster::Heard& heard)
{
    conversations_->hear(heard);
    std::set<Owner> grown;
    std::set<Owner> changed;
    for (const std::string& name : heard.logs) {
        if (name.starts_with(webhooks_prefix))
            changed.insert(owner_of_log(name.substr(webhooks_prefix.size())));
        else
            grown.insert(owner_of_log(name));
    }
    if (!grown.empty()) store().events().signal().grew_elsewhere(grown);
    if (heard.may_lack_logs) store().events().signal().any_grew_elsewhere();
    if (!cluster_->is_first()) return;
    webhooks_->start();
    if (heard.may_lack_logs) webhooks_->may_have_missed_changes();
    if (!changed.empty()) webhooks_->heard_of_changes(changed);
}

void ServerComponents::drain(std::chrono::seconds time)
{
    cluster_->drain();
    std::this_thread::sleep_for(time);
}

void ServerComponents::end_work()
{
    conversations_->close();
    webhooks_->close();
    store().moving().end_by(std::chrono::steady_clock::now() + time_to_move);
    store().end_soon();
}

Result<> ServerComponents::check_cluster() const
{
    constexpr std::chrono::seconds long_silence{4};
    if (cluster_->silence() < long_silence) return {};
    return Error{Errc::storage_unavailable, "The server's database does not answer."};
}

// For the next server in this directory: see join_cluster. It changes if this server is fenced.
void ServerComponents::keep_incarnation()
{
    if (!cluster_ || cluster_->is_alone() || cluster_->me() == kept_incarnation_) return;
    const std::int64_t me = cluster_->me();
    if (stored_->directory().write_private("incarnation", std::to_string(me)))
        kept_incarnation_ = me;
}

void ServerComponents::keep_time()
{
    keep_incarnation();
    stored_->time().look();
    const std::string text = stored_->time().text();
    if (const auto kept = stored_->directory().write_private("clock", text); !kept)
        log::debug("cannot save the trusted time for the next start",
                   log::kv("reason", kept.error().message));
}

void ServerComponents::remove_old_backups()
{
    if (stored_->time().may_sweep())
        api::remove_old_backups(stored_->paths().directory,
                                std::filesystem::file_time_type::clock::now());
}

void ServerComponents::remove_old_events()
{
    if (sweeper_) sweep_->begin(*sweeper_);
}

Result<> ServerComponents::announce(const Listeners& listeners)
{
    const auto& [url, certificate, metrics_url] = listeners;
    DataDirectory& directory = stored_->directory();
    if (auto told = directory.announce(url, metrics_url); !told) return told;
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
    const bool is_shared = !cluster_->is_alone();
    return {.store_bytes = store.bytes,
            .store_log_bytes = store.log_bytes,
            .writes_waiting = store.writes_waiting,
            .reads_waiting = store.reads_waiting,
            .journal_bytes = journal.bytes_on_disk,
            .journal_segments = journal.segments,
            .journal_waiting = journal.queued_bytes,
            .journal_records = journal.records,
            .journal_batches = journal.batches,
            .disk_free_bytes = free_bytes(stored_->paths().directory),
            .cluster_members = is_shared ? cluster_->members() : 0,
            .cluster_fenced = cluster_->times_fenced(),
            .cluster_silence = cluster_->silence()};
}

}  // namespace parley::app
