// The bodies of webhook deliveries, made from the same views as the responses of the API.
//
// Threads: from any event loop.
#pragma once

#include "automation/automations.hpp"
#include "chat/runs.hpp"
#include "store/store.hpp"
#include "webhook/payloads.hpp"

#include <optional>

namespace parley::api {

class WebhookPayloads final : public webhook::Payloads {
public:
    // All must outlive it.
    WebhookPayloads(store::Store& store, chat::Runs& runs,
                    const automation::Automations& automations, const chat::RunErrors& errors)
        : store_(store), runs_(runs), automations_(automations), errors_(errors)
    {
    }

    std::string event(const Owner& owner, const store::Event& event) const override;
    std::string test_event(const Owner& owner, const store::Delivery& delivery,
                           const Cause& cause) const override;
    Task<Result<std::string>> with_snapshot(const store::Webhook& webhook,
                                            const store::Delivery& delivery) const override;

private:
    using Snapshot = Result<std::optional<std::string>>;  // Nothing if the object is gone.
    Task<Snapshot> snapshot(const store::Webhook& webhook, const store::Delivery& delivery) const;
    Task<Snapshot> automation_run(const store::Webhook& webhook, std::string id) const;

    store::Store& store_;
    chat::Runs& runs_;
    const automation::Automations& automations_;
    const chat::RunErrors& errors_;
};

}  // namespace parley::api
