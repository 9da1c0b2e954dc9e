#include "app/webhook_services.hpp"

#include "app/version.hpp"
#include "base/log.hpp"

namespace parley::app {
namespace {

// In which an attempt can end that is cut off.
constexpr std::chrono::seconds time_to_stop{2};

http::client::ClientOptions client_options(const Settings& settings,
                                           http::client::Resolver& resolver)
{
    http::client::ClientOptions options;
    options.ca_file = settings.webhooks.ca_file;
    options.user_agent = "parley/" + std::string(version);
    options.resolver = &resolver;
    options.max_idle = 0;
    options.max_idle_per_origin = 0;
    return options;
}

}  // namespace

Result<std::unique_ptr<WebhookServices>> WebhookServices::open(const Settings& settings,
                                                               const Needs& needs)
{
    auto networks = http::client::parse_networks(settings.webhooks.allowed_networks);
    if (!networks) return networks.error();
    std::unique_ptr<WebhookServices> made(
        new WebhookServices(settings, needs, http::client::public_addresses(std::move(*networks))));
    // The authorities of the system are read at the first request; a file of the operator's now.
    if (!settings.webhooks.ca_file.empty())
        if (const auto prepared = made->client_.prepare_tls(); !prepared)
            return Error{Errc::internal, "webhooks.ca_file: " + prepared.error().message};
    return made;
}

WebhookServices::WebhookServices(const Settings& settings, const Needs& needs,
                                 const http::client::AddressRule& rule)
    : store_(needs.store),
      metrics_(needs.metrics),
      loops_(needs.loops),
      client_(loops_[0], client_options(settings, resolver_)),
      payloads_(needs.store, needs.runs, needs.automations, needs.errors),
      sender_(client_, system_clock(),
              {.timeout = settings.webhooks.timeout,
               .allow_http = settings.webhooks.allow_http,
               .address_rule = rule}),
      couriers_(std::make_shared<webhook::Couriers>(
          webhook::Couriers::Services{
              .loop = loops_[0],
              .store = needs.store,
              .payloads = payloads_,
              .sealer = needs.sealer,
              .sender = sender_,
              .clock = system_clock(),
              .may_sweep = [&time = needs.time] { return time.may_sweep(); },
              .may_send = needs.may_send},
          webhook::Places::Limits{.of_endpoint = settings.webhooks.max_concurrent})),
      webhooks_(needs.store, payloads_, needs.sealer, resolver_, system_clock(),
                {.max_per_user = settings.webhooks.max_per_user,
                 .allow_http = settings.webhooks.allow_http,
                 .address_rule = rule},
                [this, may_send = needs.may_send, notify = needs.notify_sender](
                    const std::string& webhook, const Owner& owner) {
                    if (has_started_) couriers_->wake(webhook, owner);
                    if (!may_send()) notify(owner);
                })
{
    metrics_.watch([this] {
        const webhook::CourierFigures now = couriers_->figures();
        return metrics::WebhookFigures{.succeeded = now.succeeded,
                                       .failed = now.failed,
                                       .sending = now.sending,
                                       .endpoints = now.endpoints};
    });
}

WebhookServices::~WebhookServices()
{
    close();
    metrics_.watch(nullptr);
    if (!couriers_->wait_until_idle(time_to_stop))
        log::warn("some deliveries to webhooks did not stop in time");
    loops_.stop();
}

void WebhookServices::start()
{
    if (has_started_.exchange(true)) return;
    store_.events().signal().observe(
        [this](const std::set<Owner>& owners) { couriers_->heard(owners); });
    couriers_->start();
}

void WebhookServices::close()
{
    has_started_ = true;  // Never again.
    store_.events().signal().observe(nullptr);
    couriers_->stop();
}

}  // namespace parley::app
