#include "app/webhook_services.hpp"

#include "app/version.hpp"
#include "base/block_on.hpp"
#include "base/log.hpp"

#include <fstream>
#include <sys/stat.h>

namespace parley::app {
namespace {

// In which an attempt can end that is cut off.
constexpr std::chrono::seconds time_to_stop{2};
constexpr std::size_t least_key = 32;
constexpr std::size_t most_key = 4096;

Result<Secret> read_key(const std::string& file)
{
    const auto refused = [&](const std::string& why) {
        return Error{Errc::internal, "secrets.key_file " + file + ": " + why};
    };
    struct stat about{};
    if (::stat(file.c_str(), &about) != 0) return refused("cannot be read.");
    if ((about.st_mode & (S_IROTH | S_IWOTH)) != 0)
        return refused("every user of this machine can read or change it: run `chmod o-rwx " +
                       file + "`.");
    std::ifstream in(file, std::ios::binary);
    std::string bytes(most_key, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    if (bytes.size() < least_key) return refused("must have at least 32 bytes.");
    return Secret::taken_from(bytes);
}

Result<Secret> key_of(const Settings& settings, store::Store& store)
{
    if (!settings.secrets_key_file.empty()) return read_key(settings.secrets_key_file);
    return block_on(store.keys().key_for("webhook secrets"));
}

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
    const auto key = key_of(settings, needs.store);
    if (!key) return key.error();
    std::unique_ptr<WebhookServices> made(new WebhookServices(
        settings, needs, *key, http::client::public_addresses(std::move(*networks))));
    // The authorities of the system are read at the first request; a file of the operator's now.
    if (!settings.webhooks.ca_file.empty())
        if (const auto prepared = made->client_.prepare_tls(); !prepared)
            return Error{Errc::internal, "webhooks.ca_file: " + prepared.error().message};
    return made;
}

WebhookServices::WebhookServices(const Settings& settings, const Needs& needs, const Secret& key,
                                 const http::client::AddressRule& rule)
    : store_(needs.store),
      metrics_(needs.metrics),
      loops_(needs.loops),
      client_(loops_[0], client_options(settings, resolver_)),
      sealer_(key),
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
              .sealer = sealer_,
              .sender = sender_,
              .clock = system_clock(),
              .may_sweep = [&time = needs.time] { return time.may_sweep(); }},
          webhook::Places::Limits{.of_endpoint = settings.webhooks.max_concurrent})),
      webhooks_(needs.store, payloads_, sealer_, resolver_, system_clock(),
                {.max_per_user = settings.webhooks.max_per_user,
                 .allow_http = settings.webhooks.allow_http,
                 .address_rule = rule},
                [couriers = couriers_.get()](const std::string& webhook, const Owner& owner) {
                    couriers->wake(webhook, owner);
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
    store_.events().signal().observe(
        [this](const std::set<Owner>& owners) { couriers_->heard(owners); });
    couriers_->start();
}

void WebhookServices::close()
{
    store_.events().signal().observe(nullptr);
    couriers_->stop();
}

}  // namespace parley::app
