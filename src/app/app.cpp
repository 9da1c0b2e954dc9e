#include "app/app.hpp"

#include "api/api.hpp"
#include "api/pipeline.hpp"
#include "api/readiness.hpp"
#include "app/descriptors.hpp"
#include "app/local_url.hpp"
#include "app/running_log.hpp"
#include "app/server_components.hpp"
#include "app/signals.hpp"
#include "app/start_banner.hpp"
#include "app/telemetry.hpp"
#include "app/version.hpp"
#include "base/base.hpp"
#include "http/http.hpp"
#include "metrics/metrics.hpp"
#include "models/models.hpp"
#include "reference/reference.hpp"
#include "reference/routes.hpp"

#ifdef PARLEY_FAULTS
#include "app/fault_routes.hpp"
#endif

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace parley::app {
namespace {

using std::chrono::seconds;

// Shutting down takes less than 30 s: load balancers get a moment to see that /readyz says no,
// requests and streams get time to end, what is left after that is cut off. Until then connections
// are taken, and new requests answered with 503.
constexpr seconds time_to_turn_away{3};
constexpr seconds time_to_finish{20};
constexpr std::chrono::milliseconds time_between_checks{100};
constexpr seconds time_to_close{1};
constexpr seconds time_to_cut{2};

// At the clocks: see base/trusted_time.hpp.
constexpr seconds time_between_looks{60};

std::optional<boost::asio::ip::tcp::endpoint> metrics_endpoint(const Settings& settings)
{
    auto endpoint = http::parse_address(settings.metrics_listen);
    if (!endpoint) return std::nullopt;  // "off": check() let nothing else pass.
    return *endpoint;
}

class App {
public:
    explicit App(const Settings& settings)
        : settings_(settings),
          loops_(settings.loops, system_clock(),
                 [this](std::size_t loop, std::chrono::nanoseconds lag) {
                     metrics_.observe_loop_lag(loop, lag);
                 }),
          metrics_pipeline_(api::metrics_routes(), services_, metrics_, system_clock())
    {
    }

    Result<> start();
    void run();

private:
    Result<> start_parts();
    Result<> start_metrics();
    Result<> announce();
    void reload();
    void shut_down();
    metrics::ServerFigures figures();

    const Settings& settings_;
    metrics::Metrics metrics_;
    std::unique_ptr<tracing::otlp::Exporter> telemetry_;  // Outlives all that records spans.
    api::Readiness readiness_;
    const limits::TrustedProxies trusted_proxies_ =
        limits::TrustedProxies::parse(settings_.trusted_proxies).value();
    reference::Reference reference_{
        reference::OpenApiInfo{version, settings_.pipeline.public_url, settings_.pipeline.contact}};
    api::Services services_ = [this] {
        api::Services services;
        services.add(metrics_);
        services.add(readiness_);
        services.add(reference_);
        return services;
    }();
    std::optional<http::TlsIdentity> tls_;
    http::Loops loops_;
    http::client::Clients clients_{loops_};
    std::unique_ptr<ServerComponents> parts_;
    std::unique_ptr<api::Pipeline> pipeline_;
    api::Pipeline metrics_pipeline_;
    std::unique_ptr<http::Server> metrics_server_;
    std::unique_ptr<http::Server> server_;
};

// The table that this server answers by.
std::vector<api::Route> routes(const Settings& settings)
{
    auto table = reference::all_routes();
#ifdef PARLEY_FAULTS
    if (settings.test_faults)
        for (api::Route& row : fault_routes()) table.push_back(std::move(row));
#else
    static_cast<void>(settings);
#endif
    return table;
}

Result<> App::start_parts()
{
    auto parts = ServerComponents::open(settings_, metrics_, clients_);
    if (!parts) return parts.error();
    parts_ = std::move(*parts);
    parts_->add_to(services_);
    readiness_.depend_on([this] {
        if (const auto writes = parts_->store().can_write(); !writes) return writes;
        if (const auto hears = parts_->check_cluster(); !hears) return hears;
        return parts_->conversations().check_models();
    });
    readiness_.depend_on_room([this] { return parts_->free_space().check(); });
    readiness_.warn_of([this] { return parts_->conversations().warnings(); });
    api::PipelineOptions options = settings_.pipeline;
    options.authenticator = &parts_->authenticator();
    options.hook_authenticator = &parts_->hook_authenticator();
    options.limiter = &parts_->limiter();
    options.trusted_proxies = trusted_proxies_;
    options.readiness = &readiness_;
    pipeline_ = std::make_unique<api::Pipeline>(routes(settings_), services_, metrics_,
                                                system_clock(), std::move(options));
    return {};
}

Result<> App::announce()
{
    ServerComponents::Listeners at;
    at.url = local_url(server_->local_endpoint(), tls_.has_value());
    if (tls_) at.certificate = tls_->fingerprint();
    if (metrics_server_) at.metrics_url = local_url(metrics_server_->local_endpoint(), false);
    return parts_->announce(at);
}

Result<> App::start()
{
    http::ServerOptions options{.listen = *http::parse_address(settings_.listen),
                                .limits = settings_.connections};
    options.limits.max_connections =
        connections_within(raise_descriptor_limit(), settings_.connections.max_connections);
    options.is_proxy = [this](const auto& address) { return trusted_proxies_.trusts(address); };
    if (options.limits.max_connections < settings_.connections.max_connections)
        log::warn("the limit of open files is below server.max_connections; raise it (ulimit -n)",
                  log::kv("connections", options.limits.max_connections));
    if (!settings_.tls.certificate.empty()) {
        tls_.emplace(settings_.tls);
        if (auto loaded = tls_->load(); !loaded) return loaded;
        options.tls = &*tls_;
    }
    auto telemetry = open_telemetry(settings_, metrics_);
    if (!telemetry) return telemetry.error();
    telemetry_ = std::move(*telemetry);
    if (auto started = start_parts(); !started) return started;
    if (auto started = start_metrics(); !started) return started;
    // Before anybody can ask: what an earlier server has left goes on.
    std::vector<Executor> executors;
    executors.reserve(loops_.size());
    for (std::size_t i = 0; i < loops_.size(); ++i) executors.push_back(loops_[i].executor());
    if (auto taken = parts_->begin_work(executors); !taken) return taken;
    server_ = std::make_unique<http::Server>(loops_, *pipeline_, options);
    if (auto started = server_->start(); !started)
        return Error{Errc::internal,
                     started.error().message + " Choose another address with --listen."};
    if (auto announced = announce(); !announced) return announced;
    metrics_.watch_server([this] { return figures(); });
    const std::string url = local_url(server_->local_endpoint(), tls_.has_value());
    const std::string& public_url = settings_.pipeline.public_url;
    const auto link = parts_->make_setup_link(public_url.empty() ? url : public_url);
    if (!link) return link.error();
    const std::string model = models::default_model(settings_.models, settings_.data);
    // Last: clients that are told that the server is ready, or read this line, find everything in
    // place.
    readiness_.end_start();
    log::info("listening", log::kv("address", http::to_text(server_->local_endpoint())),
              log::kv("tls", tls_.has_value()), log::kv("loops", loops_.size()),
              log::kv("model", model), log::kv("version", version));
    const bool repeats = models::engine_of(model, settings_.models, settings_.data) == "scripted";
    print_banner({.address = url,
                  .setup_link = *link,
                  .model = model,
                  .model_repeats = repeats,
                  .data = settings_.data});
    return {};
}

Result<> App::start_metrics()
{
    const auto endpoint = metrics_endpoint(settings_);
    if (!endpoint) return {};
    http::ServerOptions options{.listen = *endpoint};
    options.limits.max_connections = 16;
    metrics_server_ = std::make_unique<http::Server>(loops_, metrics_pipeline_, options);
    if (auto started = metrics_server_->start(); !started)
        return Error{Errc::internal, "Cannot serve the metrics. " + started.error().message +
                                         " Set metrics.listen to another address, or to off."};
    log::info("metrics listening",
              log::kv("address", http::to_text(metrics_server_->local_endpoint())));
    return {};
}

metrics::ServerFigures App::figures()
{
    metrics::ServerFigures figures;
    figures.accepted = server_->accepted();
    figures.turned_away = server_->refused();
    for (std::size_t i = 0; i < loops_.size(); ++i)
        figures.connections.push_back(loops_[i].connections.load());
    return figures;
}

void App::run()
{
    for (;;) {
        const auto signal = next_signal(time_between_looks);
        if (signal == Signal::stop) break;
        if (signal == Signal::reload) reload();
        parts_->keep_time();
        parts_->remove_old_events();
        parts_->remove_old_backups();
    }
    exit_on_next_signal();
    print_stopping();
    shut_down();
}

void App::reload()
{
    if (!tls_) return log::info("nothing to reload: this server has no TLS files");
    auto loaded = check(settings_);  // Whether the key is still for us alone.
    if (loaded) loaded = tls_->load();
    if (!loaded)
        return log::error("TLS files not reloaded; the old ones stay in use",
                          log::kv("reason", loaded.error().message));
    if (const auto announced = announce(); !announced)
        log::error(
            "cannot record the new certificate; commands on this machine may not trust the server",
            log::kv("reason", announced.error().message));
    log::info("TLS files reloaded", log::kv("certificate", settings_.tls.certificate));
}

void App::shut_down()
{
    using std::chrono::steady_clock;
    log::info("shutting down", log::kv("connections", server_->connections()));
    // Before /readyz says 503: who has read that must not get a connection that seems to stay open.
    server_->close_after_answers();
    if (!settings_.postgres.url.empty()) {
        readiness_.begin_drain();
        parts_->drain(settings_.drain);
    }
    readiness_.begin_shutdown();
    parts_->end_work();
    parts_->end_log_streams();
    server_->wait_until_empty(time_to_turn_away);
    const auto end = steady_clock::now() + time_to_finish;
    const auto may_wait = [&] { return steady_clock::now() < end && !parts_->is_cut_off(); };
    while (!server_->wait_until_answered(time_between_checks) && may_wait()) continue;
    // Runs without a waiting client get the rest of the time.
    parts_->conversations().wait(may_wait);
    server_->stop_accepting();
    server_->close_idle();
    if (!server_->wait_until_empty(time_to_close)) {
        log::warn("closing the remaining connections", log::kv("open", server_->connections()));
        server_->cut_all();
        server_->wait_until_empty(time_to_cut);
    }
}

}  // namespace

Result<> serve(const Settings& settings)
{
    if (auto checked = check(settings); !checked) return checked;
    block_signals();
    const RunningLog log(settings.log);
    std::optional<App> app(std::in_place, settings);
    if (auto started = app->start(); !started) return started;
    app->run();
    app.reset();  // A model may need a moment.
    log::info("stopped");
    if (auto reason = why_stopped()) return std::move(*reason);
    return {};
}

}  // namespace parley::app
