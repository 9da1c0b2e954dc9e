#include "app/settings.hpp"

#include "api/cors.hpp"
#include "app/model_settings.hpp"
#include "app/oidc_settings.hpp"
#include "app/setting_kinds.hpp"
#include "app/settings_text.hpp"
#include "app/store_settings.hpp"
#include "app/telemetry_settings.hpp"
#include "base/suggest.hpp"
#include "http/client/address_rule.hpp"
#include "limits/classes.hpp"
#include "limits/client_address.hpp"
#include "models/upstream_options.hpp"

#include <algorithm>
#include <iterator>

namespace parley::app {

using namespace setting_kinds;

namespace {

constexpr std::int64_t most_requests = limits::Limits::max_limit;
constexpr std::int64_t longest_window_s = limits::Limits::max_window / std::chrono::seconds(1);

Fault fault_of_origins(const std::vector<std::string>& origins)
{
    const auto checked = api::check_origins(origins);
    if (checked) return {};
    return checked.error().message;
}

Fault fault_of_proxies(const std::vector<std::string>& networks)
{
    const auto parsed = limits::TrustedProxies::parse(networks);
    if (parsed) return {};
    return parsed.error().message;
}

Fault fault_of_networks(const std::vector<std::string>& networks)
{
    const auto parsed = http::client::parse_networks(networks);
    if (parsed) return {};
    return parsed.error().message;
}

}  // namespace

const std::vector<Setting>& all_settings()
{
    static const std::vector<Setting> settings = {
        address("server.listen", at(&Settings::listen), "",
                "Address and port to listen on; port 0 takes a free one."),
        number("server.loops", at(&Settings::loops), 0, 256,
               "Event loops, one thread each; 0: one per processor core."),
        number("server.max_connections", at(&Settings::connections, &http::Limits::max_connections),
               1, 1'000'000,
               "Maximum number of connections; a further one replaces the longest idle one, or "
               "gets 503."),
        number("server.max_connections_per_address",
               at(&Settings::connections, &http::Limits::max_connections_per_address), 0, 1'000'000,
               "Maximum number of connections per client address (IPv6: per /64, and ten times as "
               "many per /48); 0: no limit. Trusted proxies are exempt."),
        number("server.max_body_mib", at(&Settings::pipeline, &api::PipelineOptions::max_body), 1,
               32,
               "Maximum request body of OpenAI's routes and of imports, in MiB; other routes take "
               "1 MiB.",
               mib),
        yes_or_no("server.allow_plain_http", at(&Settings::allow_plain_http),
                  "Allows HTTP without TLS on addresses that other machines can reach."),
        text("server.public_url", at(&Settings::pipeline, &api::PipelineOptions::public_url),
             "Public address of this server, e.g. https://chat.example.org; makes links absolute."),
        text("server.contact", at(&Settings::pipeline, &api::PipelineOptions::contact),
             "Support contact: a mail address or a web address."),
        plain<std::vector<std::string>>(
            "server.cors_origins", at(&Settings::pipeline, &api::PipelineOptions::cors_origins),
            "a list of origins", "Web origins whose pages may call the interface; * allows all.",
            fault_of_origins),
        plain<std::vector<std::string>>(
            "server.trusted_proxies", at(&Settings::trusted_proxies), "a list of networks",
            "Networks of trusted proxies, whose X-Forwarded-For is used, e.g. 10.0.0.0/8.",
            fault_of_proxies),
        text("server.tls_cert", at(&Settings::tls, &http::TlsFiles::certificate),
             "PEM file with the certificate and its chain; read again on SIGHUP."),
        text("server.tls_key", at(&Settings::tls, &http::TlsFiles::key),
             "PEM file with the private key; other users must not be able to read it."),
        one_of("store.kind", at(&Settings::store_kind), {"sqlite", "memory"},
               "sqlite: a file in the data directory; memory: everything is lost when the server "
               "stops."),
        store_url_setting(),
        store_password_file_setting(),
        store_connections_setting(),
        number("store.readers", at(&Settings::sqlite, &store::sqlite::Options::readers), 0, 64,
               "Threads that read from the database; 0: chosen by the number of cores."),
        number("store.min_free_mib", at(&Settings::min_free_bytes), 0, 1'000'000'000,
               "Minimum free space on the disk of the data directory, in MiB; below it, users can "
               "store nothing new.",
               mib),
        cluster_name_setting(),
        cluster_max_concurrent_setting(),
        cluster_drain_setting(),
        number("auth.access_ttl_s", at(&Settings::logins, &auth::LoginTimes::access), 1, 86'400,
               "Lifetime of a login's access token in seconds."),
        number("auth.refresh_ttl_s", at(&Settings::logins, &auth::LoginTimes::refresh), 1,
               7'776'000,
               "Lifetime of a refresh token in seconds; a whole login lasts 90 days at most."),
        number("auth.refresh_grace_s", at(&Settings::logins, &auth::LoginTimes::grace), 0, 3600,
               "Seconds for which a used refresh token is accepted again (two tabs, a lost "
               "response)."),
        oidc_issuer_setting(),
        oidc_client_id_setting(),
        oidc_client_secret_file_setting(),
        oidc_name_setting(),
        oidc_scopes_setting(),
        oidc_groups_claim_setting(),
        oidc_operator_groups_setting(),
        oidc_allowed_groups_setting(),
        number("limits.chat", at(&Settings::limits, &limits::Limits::chat), 1, most_requests,
               "AI-chat requests per user and window."),
        number("limits.auth", at(&Settings::limits, &limits::Limits::auth), 1, most_requests,
               "Login attempts per account and window, and per address unless limits.auth_address "
               "is set."),
        number("limits.auth_address", at(&Settings::limits, &limits::Limits::auth_address), 0,
               most_requests,
               "Login attempts per address and window; raise it for an office behind one address. "
               "0: the same as limits.auth."),
        number("limits.general", at(&Settings::limits, &limits::Limits::general), 1, most_requests,
               "All other requests per user, or per address, and window."),
        number("limits.automation",
               at(&Settings::automations, &automation::Options::starts_per_minute), 1, 1'000,
               "Runs that a user's automations may start per minute; further ones wait."),
        number("limits.hook", at(&Settings::limits, &limits::Limits::hook), 1, most_requests,
               "Calls per hook and window."),
        number("limits.window_s", at(&Settings::limits, &limits::Limits::window), 1,
               longest_window_s, "Length of the rate-limit window in seconds."),
        text("model.default", at(&Settings::models, &models::Options::default_model),
             "Default model, if neither the question nor its session names one. Empty: the "
             "embedded model if there is one, else scripted."),
        number("runs.max_concurrent", at(&Settings::runs, &chat::RunOptions::max_concurrent), 1,
               100'000,
               "Runs answered at the same time; further ones are queued. If there are several "
               "users, one place is kept for other users."),
        number("runs.max_queued", at(&Settings::runs, &chat::RunOptions::max_queued), 0, 1'000'000,
               "Runs that may be queued, on all servers together; further ones get 503."),
        number("runs.timeout_s", at(&Settings::runs, &chat::RunOptions::timeout), 1, 86'400,
               "Timeout of a run in seconds."),
        number("runs.events_keep_s", at(&Settings::runs, &chat::RunOptions::events_keep), 0,
               31'536'000,
               "Seconds for which the events of a run can be read again after its end."),
        number("events.keep_days", at(&Settings::events_keep), 1, 3'650,
               "Days for which events are kept in the event log."),
        number("retention.max_days", at(&Settings::max_retention_days), 0, 3'650,
               "Days after which idle sessions of all users are deleted, except those with keep; "
               "users can choose fewer. 0: no limit."),
        number("automations.max_per_user",
               at(&Settings::automations, &automation::Options::max_per_user), 0, 10'000,
               "Maximum number of automations per user."),
        number("automations.max_concurrent",
               at(&Settings::automations, &automation::Options::max_concurrent), 0, 10'000,
               "Maximum number of runs of automations at the same time; 0: half of "
               "runs.max_concurrent."),
        number("automations.runs_keep_days",
               at(&Settings::automations, &automation::Options::rows_keep), 1, 3'650,
               "Days for which ended runs of automations are kept."),
        yes_or_no(
            "webhooks.allow_http", at(&Settings::webhooks, &webhook::Options::allow_http),
            "Allows webhooks whose URL is http; their events can then be read on the network."),
        plain<std::vector<std::string>>(
            "webhooks.allowed_networks",
            at(&Settings::webhooks, &webhook::Options::allowed_networks), "a list of networks",
            "Networks that are not public but may have webhooks, e.g. 10.1.0.0/16.",
            fault_of_networks),
        number("webhooks.max_per_user", at(&Settings::webhooks, &webhook::Options::max_per_user), 0,
               1'000, "Maximum number of webhooks per user."),
        number("webhooks.max_concurrent",
               at(&Settings::webhooks, &webhook::Options::max_concurrent), 1, 64,
               "Maximum number of events that are sent to one webhook at the same time."),
        number("webhooks.timeout_s", at(&Settings::webhooks, &webhook::Options::timeout), 1, 60,
               "Timeout of a webhook in seconds."),
        text("webhooks.ca_file", at(&Settings::webhooks, &webhook::Options::ca_file),
             "PEM file with the certificate authorities that webhooks are checked with. Empty: "
             "those of the system."),
        text("secrets.key_file", at(&Settings::secrets_key_file),
             "File with at least 32 random bytes, with which secrets of webhooks, hooks and second "
             "factors are encrypted. Empty: a key in the database."),
        address("metrics.listen", at(&Settings::metrics_listen), "off",
                "Address and port of the Prometheus metrics; off: none."),
        otlp_url_setting(),
        otlp_headers_setting(),
        choice<std::optional<log::Level>>(
            "log.level", at(&Settings::log, &log::Options::level),
            {{"auto", std::nullopt},
             {"debug", log::Level::debug},
             {"info", log::Level::info},
             {"warn", log::Level::warn},
             {"error", log::Level::error}},
            "Lowest level that is logged. auto: warn on a terminal, else info."),
        choice<log::Format>("log.format", at(&Settings::log, &log::Options::format),
                            {{"auto", log::Format::automatic},
                             {"people", log::Format::people},
                             {"json", log::Format::json}},
                            "auto: text on a terminal, else one JSON object per line."),
#ifdef PARLEY_FAULTS
        yes_or_no("test.faults", at(&Settings::test_faults),
                  "Test builds only: POST /test/faults breaks the disk under the database."),
#endif
    };
    return settings;
}

const Setting* find_setting(std::string_view key)
{
    const auto& known =
        key.starts_with(models_table) ? settings_of_model(model_in(key)) : all_settings();
    const auto found = std::ranges::find(known, key, &Setting::key);
    return found == known.end() ? nullptr : &*found;
}

std::vector<Setting> settings_in_use(const Settings& settings)
{
    std::vector<Setting> all = all_settings();
    for (const auto& [name, model] : settings.models.named)
        std::ranges::copy(settings_of_model(name), std::back_inserter(all));
    return all;
}

bool is_table_of_settings(std::string_view key)
{
    if (key.starts_with(models_table))
        return models::is_model_name(key.substr(models_table.size()));
    if (key == models_table.substr(0, models_table.size() - 1)) return true;
    return std::ranges::any_of(all_settings(), [&](const Setting& setting) {
        return std::string_view(setting.key).substr(0, setting.key.rfind('.')) == key;
    });
}

std::string unknown_setting(std::string_view key)
{
    std::vector<std::string_view> keys;
    for (const auto& each : all_settings()) keys.emplace_back(each.key);
    if (key.starts_with(models_table))
        for (const auto& each : settings_of_model(model_in(key))) keys.emplace_back(each.key);
    const auto near = suggest(key, keys);
    return "There is no setting " + in_quotes(key) + "." +
           (near ? " Did you mean " + std::string(*near) + "?" : "") +
           " `parley serve --help-settings` lists them all.";
}

Result<> put(Settings& settings, const Setting& setting, SettingValue value)
{
    if (auto fault = fault_of_text(value)) return invalid_request(std::move(*fault));
    if (setting.fault)
        if (auto fault = setting.fault(value)) return invalid_request(std::move(*fault));
    setting.put(settings, std::move(value));
    return {};
}

Result<> put_text(Settings& settings, const Setting& setting, std::string_view text)
{
    auto value = value_from_text(text, setting.get(settings));
    if (!value) return invalid_request(in_quotes(text) + " is not " + setting.form + ".");
    return put(settings, setting, std::move(*value));
}

Result<> set(Settings& settings, std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos)
        return invalid_request("--set takes KEY=VALUE, such as --set server.loops=2; " +
                               in_quotes(assignment) + " has no equals sign.");
    const Setting* found = find_setting(assignment.substr(0, equals));
    if (!found) return invalid_request(unknown_setting(assignment.substr(0, equals)));
    if (auto done = put_text(settings, *found, assignment.substr(equals + 1)); !done)
        return invalid_request(found->key + ": " + done.error().message);
    return {};
}

}  // namespace parley::app
