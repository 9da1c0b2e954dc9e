// Everything about webhooks that a server has: their rules, and the couriers on a thread of their
// own.
#pragma once

#include "api/services.hpp"
#include "api/webhook_payloads.hpp"
#include "app/settings.hpp"
#include "base/trusted_time.hpp"
#include "http/client/resolver.hpp"
#include "http/loop.hpp"
#include "metrics/webhook_metrics.hpp"
#include "webhook/couriers.hpp"
#include "webhook/webhooks.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <set>

namespace parley::app {

class WebhookServices {
public:
    // Other parts of the server that it uses; all must outlive it.
    struct Needs {
        store::Store& store;
        chat::Runs& runs;
        const automation::Automations& automations;
        const chat::RunErrors& errors;
        const webhook::Sealer& sealer;
        const TrustedTime& time;
        metrics::WebhookMetrics& metrics;
        // One of several servers sends. The others tell it about new events for the webhooks of an
        // owner.
        std::function<bool()> may_send;
        std::function<void(const Owner&)> notify_sender;
        http::Loops& loops;  // One, for deliveries alone. Must outlive the store, which answers it.
    };
    // Fails with a message for the operator.
    static Result<std::unique_ptr<WebhookServices>> open(const Settings& settings,
                                                         const Needs& needs);
    ~WebhookServices();
    WebhookServices(const WebhookServices&) = delete;
    WebhookServices& operator=(const WebhookServices&) = delete;

    void add_to(api::Services& services) { services.add(webhooks_); }

    // From then on events are sent, as long as this server may. From any thread; no effect if it
    // has started or was closed.
    void start();
    // Another server has changed webhooks of these owners, or has deliveries for them.
    void heard_of_changes(const std::set<Owner>& owners) { couriers_->wake_all_of(owners); }
    void may_have_missed_changes() { couriers_->wake_all(); }
    // This user may have been enabled again, here or by another server. From any thread.
    void rights_changed(const std::string& user)
    {
        if (has_started_) couriers_->user_changed(user);
    }
    // At shutdown, from the main thread: sends nothing any more.
    void close();

private:
    WebhookServices(const Settings& settings, const Needs& needs,
                    const http::client::AddressRule& rule);

    store::Store& store_;
    metrics::WebhookMetrics& metrics_;
    http::Loops& loops_;
    http::client::Resolver resolver_;
    http::client::Client client_;
    const api::WebhookPayloads payloads_;
    webhook::Sender sender_;
    std::shared_ptr<webhook::Couriers> couriers_;
    std::atomic<bool> has_started_ = false;
    webhook::Webhooks webhooks_;
};

}  // namespace parley::app
