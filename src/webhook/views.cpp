#include "base/json.hpp"
#include "base/rfc3339.hpp"
#include "webhook/webhooks.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

namespace parley::webhook {

std::vector<std::string> names_of_types(const store::Webhook& webhook)
{
    std::vector<std::string> names;
    std::string_view rest = webhook.event_types;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        names.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

api::WebhookSettings settings_of(const store::Webhook& webhook)
{
    api::WebhookSettings settings;
    settings.url = webhook.url;
    settings.event_types = names_of_types(webhook);
    settings.payload = webhook.payload;
    settings.ordered = webhook.ordered;
    if (!webhook.description.empty()) settings.description = webhook.description;
    boost::json::error_code error;
    const auto metadata = boost::json::parse(webhook.metadata, error);
    if (!error && metadata.is_object())
        for (const auto& [key, value] : metadata.as_object())
            settings.metadata[std::string(key)] = std::string(value.as_string());
    settings.state = webhook.state;
    return settings;
}

api::WebhookView view(const store::Webhook& webhook)
{
    api::WebhookView view;
    static_cast<api::WebhookSettings&>(view) = settings_of(webhook);
    view.id = webhook.id;
    view.disabled_reason = webhook.disabled_reason;
    view.secret_hint = webhook.secret.hint;
    view.last_success_at = rfc3339(webhook.last_success_at);
    view.last_failure_at = rfc3339(webhook.last_failure_at);
    view.cursor = webhook.cursor;
    view.created_at = rfc3339(webhook.created_at);
    view.updated_at = rfc3339(webhook.updated_at);
    return view;
}

api::DeliveryView view(const store::Delivery& delivery)
{
    api::DeliveryView view;
    view.id = delivery.id;
    view.webhook_id = delivery.webhook;
    view.event_id = delivery.event;
    view.event_type = delivery.event_type;
    view.status = delivery.status;
    for (const store::DeliveryAttempt& each : delivery.attempts)
        view.attempts.push_back({.at = rfc3339(each.at),
                                 .status = each.status,
                                 .duration_ms = each.duration.count(),
                                 .error = each.error,
                                 .response = each.response});
    view.next_attempt_at = rfc3339(delivery.next_attempt_at);
    view.created_at = rfc3339(delivery.created_at);
    return view;
}

}  // namespace parley::webhook
