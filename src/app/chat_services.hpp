// Everything about chats that a server has: its models, its runs, and the rules around them.
#pragma once

#include "api/automation_answers.hpp"
#include "api/export_places.hpp"
#include "api/import_places.hpp"
#include "api/import_reader.hpp"
#include "api/log_turns.hpp"
#include "api/open_streams.hpp"
#include "api/removed_users.hpp"
#include "api/retention_limit.hpp"
#include "api/run_problems.hpp"
#include "api/services.hpp"
#include "app/settings.hpp"
#include "auth/token_authenticator.hpp"
#include "automation/automation.hpp"
#include "base/trusted_time.hpp"
#include "chat/chat.hpp"
#include "cluster/cluster.hpp"
#include "engine/models.hpp"
#include "http/client/clients.hpp"
#include "journal/journal.hpp"
#include "metrics/chat_metrics.hpp"
#include "store/store.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::app {

class ChatServices {
public:
    // All of them must outlive it.
    struct Needs {
        store::Store& store;
        journal::Journal& journal;
        cluster::Cluster& cluster;
        auth::TokenAuthenticator& authenticator;
        const webhook::Sealer& sealer;
        const TrustedTime& time;
        metrics::ChatMetrics& metrics;
        http::client::Clients& clients;
        std::function<Result<>()> check_room;  // Fails if nothing new should be stored.
    };

    // Fails with a message for the operator.
    static Result<std::unique_ptr<ChatServices>> open(const Settings& settings, const Needs& needs);

    ~ChatServices();
    ChatServices(const ChatServices&) = delete;
    ChatServices& operator=(const ChatServices&) = delete;

    void add_to(api::Services& services);

    // For the other parts of the server.
    chat::Runs& runs() { return runs_; }
    const automation::Automations& automations() const { return automations_; }
    auth::HookAuthenticator& hook_callers() { return hook_callers_; }
    const chat::RunErrors& errors() const { return problems_; }

    // Fails with model_unavailable while one of the models is being loaded.
    Result<> check_models() const;

    // Sentences for operators about faults that do not keep the server from working.
    std::vector<std::string> warnings() const;

    // Before the first request: see Runs::resume_unfinished.
    // From then on automations are due.
    Result<> resume_unfinished(std::span<const Executor> loops);

    // This user may do more or less than before. From any thread.
    void rights_changed(const std::string& user);

    // From the thread of the cluster: news of other servers, and that they have taken over all runs
    // of this one.
    void hear(const cluster::Heard& heard);
    void lose_runs();
    std::size_t running() const { return runs_.figures().running; }

    // At shutdown, from the main thread: accepts no new runs, takes none that wait for a server,
    // waits for active ones as long as it may, and suspends the rest for the next start.
    void close()
    {
        runner_->stop();
        maintenance_->stop();
        runs_.close();
    }
    void wait(const std::function<bool()>& may_wait);

private:
    ChatServices(const Settings& settings, std::unique_ptr<engine::Models> models,
                 const Needs& needs);

    void store_usage();

    std::unique_ptr<engine::Models> models_;
    const api::RunProblems problems_;
    chat::Runs runs_;
    chat::Questions questions_;
    chat::Sessions sessions_;
    const api::RemovedUsers removed_users_{
        [this](std::string user) { return sessions_.forget_user(std::move(user)); }};
    const schedule::Zones zones_;
    const std::shared_ptr<automation::Runner> runner_;
    const automation::HookSecrets hook_secrets_;
    automation::HookCallers hook_callers_;
    automation::Automations automations_;
    automation::TestClock test_clock_;
    const api::AutomationServices automation_services_{automations_, problems_, runs_};
    const std::shared_ptr<chat::Maintenance> maintenance_;
    const api::RetentionLimit retention_limit_;
    api::OpenStreams streams_;
    api::LogTurns log_turns_;
    api::ExportPlaces export_places_;
    api::ImportReader import_reader_;
    api::ImportPlaces import_places_;
    store::Store& store_;
    auth::TokenAuthenticator& authenticator_;
    metrics::ChatMetrics& metrics_;
    std::optional<Executor> loop_;  // For news of other servers.
};

}  // namespace parley::app
