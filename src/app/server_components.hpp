// The stored data of a server and the services that use it: created before the first request, and
// closed after the last.
#pragma once

#include "api/services.hpp"
#include "api/status.hpp"
#include "api/web_app.hpp"
#include "app/chat_services.hpp"
#include "app/event_sweep.hpp"
#include "app/free_space.hpp"
#include "app/settings.hpp"
#include "app/store_parts.hpp"
#include "app/webhook_services.hpp"
#include "cluster/cluster.hpp"
#include "http/client/clients.hpp"
#include "journal/journal.hpp"
#include "limits/limits.hpp"
#include "metrics/metrics.hpp"
#include "oidc/provider.hpp"

#include <memory>
#include <optional>

namespace parley::app {

class ServerComponents {
public:
    // Locks the data directory and opens its files. Fails with a message for the operator. The
    // metrics and the HTTP clients (for upstream models) must outlive the result.
    static Result<std::unique_ptr<ServerComponents>> open(const Settings& settings,
                                                          metrics::Metrics& metrics,
                                                          http::client::Clients& clients);

    ~ServerComponents();
    ServerComponents(const ServerComponents&) = delete;
    ServerComponents& operator=(const ServerComponents&) = delete;

    void add_to(api::Services& services);
    auth::Authenticator& authenticator() { return stored_->people().authenticator; }
    auth::HookAuthenticator& hook_authenticator() { return conversations_->hook_callers(); }
    limits::Limiter& limiter() { return *limiter_; }
    store::Store& store() { return stored_->store(); }
    FreeSpace& free_space() { return *free_space_; }
    // Fails if this server does not hear the others any more.
    Result<> check_cluster() const;
    // The database that servers share cannot be changed: no run comes to its end here.
    bool is_cut_off() const { return !cluster_->is_alone() && !stored_->store().can_write(); }
    ChatServices& conversations() { return *conversations_; }
    const Secret& command_line_token() const
    {
        return stored_->people().authenticator.command_line_token();
    }

    // Before the first request: resumes runs, starts automations and webhooks.
    Result<> begin_work(std::span<const Executor> loops);
    // At the beginning of a shutdown, while requests are still served: other servers take over what
    // only one does, and load balancers notice that this one ends.
    void drain(std::chrono::seconds time);
    // Later: begins nothing new, and ends imports and exports.
    void end_work();

    // The addresses of the server, for commands on this machine.
    struct Listeners {
        std::string url;
        std::string certificate;  // Its fingerprint; empty without TLS.
        std::string metrics_url;  // Empty without metrics.
    };
    // Writes them and a token to files.
    Result<> announce(const Listeners& listeners);

    // Compares the clocks and saves the trusted time for the next server: about once a minute, from
    // the main thread.
    void keep_time();

    // Removes backups that have not been fetched for a day, if the time is beyond doubt: as often,
    // from the main thread.
    void remove_old_backups();
    // Begins to remove events that have expired from the log: now and then, from the main thread.
    void remove_old_events();
    // The server shuts down: streams of the event log would not end by themselves.
    void end_log_streams() { store().events().signal().stop_all(); }

    // See first_start.hpp. `url` is where browsers find the server.
    Result<std::optional<std::string>> make_setup_link(const std::string& url);

private:
    ServerComponents(std::unique_ptr<StoreParts> stored, metrics::Metrics& metrics);

    Result<> open_files(const Settings& settings);
    void keep_incarnation();
    void join_others();
    void hear(const cluster::Heard& heard);
    Result<> open_rules(const Settings& settings, http::client::Clients& clients);
    metrics::StorageFigures figures() const;

    http::Loops webhook_loops_{1, system_clock(), {}, "webhooks"};
    std::unique_ptr<StoreParts> stored_;
    metrics::Metrics& metrics_;
    std::unique_ptr<FreeSpace> free_space_;
    std::unique_ptr<limits::Limiter> limiter_;
    std::unique_ptr<cluster::Cluster> cluster_;
    std::int64_t kept_incarnation_ = 0;
    std::unique_ptr<journal::Journal> journal_;
    std::unique_ptr<EventSweep> sweep_;
    std::optional<Executor> sweeper_;  // The loop of the sweep; none before begin_work().
    std::optional<webhook::Sealer> sealer_;
    std::unique_ptr<ChatServices> conversations_;  // Destroyed before the store, which it uses.
    std::unique_ptr<WebhookServices> webhooks_;    // Destroyed before both.
    std::unique_ptr<oidc::Provider> provider_;
    api::WebApp web_app_;
    api::ServerFacts facts_;
};

}  // namespace parley::app
