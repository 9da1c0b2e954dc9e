#include "app/settings.hpp"

#include "api/cors.hpp"
#include "base/nearest.hpp"
#include "http/address.hpp"

#include <algorithm>
#include <charconv>

namespace parley::app {
namespace {

Error wrong(std::string_view key, std::string_view value, std::string_view expected)
{
    return invalid_request(std::string(key) + ": \"" + std::string(value) + "\" is not " +
                           std::string(expected) + ".");
}

Result<> read(std::string& out, std::string_view, std::string_view text)
{
    out = text;
    return {};
}

Result<> read(bool& out, std::string_view key, std::string_view text)
{
    if (text != "true" && text != "false") return wrong(key, text, "true or false");
    out = text == "true";
    return {};
}

Result<> read(std::vector<std::string>& out, std::string_view, std::string_view text)
{
    out.clear();
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (comma != 0) out.emplace_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return {};
}

std::string show(const std::string& value) { return value.empty() ? "\"\"" : value; }
std::string show(bool value) { return value ? "true" : "false"; }
std::string show(std::int64_t value) { return std::to_string(value); }
std::string show(const std::vector<std::string>& value)
{
    std::string text;
    for (const auto& each : value) text += (text.empty() ? "" : ",") + each;
    return text.empty() ? "none" : text;
}

template <class T>
Setting setting(std::string_view key, T Settings::* member, std::string_view meaning)
{
    return {key, meaning,
            [=](Settings& into, std::string_view text) { return read(into.*member, key, text); },
            [=](const Settings& from) { return show(from.*member); }};
}

Setting whole_number(std::string_view key, std::int64_t Settings::* member, std::int64_t min,
                     std::int64_t max, std::string_view meaning)
{
    auto set = [=](Settings& into, std::string_view text) -> Result<> {
        std::int64_t value = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failure != std::errc() || end != text.data() + text.size() || value < min ||
            value > max)
            return wrong(
                key, text,
                "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
        into.*member = value;
        return {};
    };
    return {key, meaning, set, [=](const Settings& from) { return show(from.*member); }};
}

Setting one_of(std::string_view key, std::string Settings::* member,
               std::vector<std::string_view> allowed, std::string_view meaning)
{
    auto set = [=](Settings& into, std::string_view text) -> Result<> {
        if (std::ranges::find(allowed, text) != allowed.end()) {
            into.*member = text;
            return {};
        }
        std::string choices;
        for (const auto each : allowed)
            choices += (choices.empty()          ? ""
                        : each == allowed.back() ? " or "
                                                 : ", ") +
                       std::string(each);
        return wrong(key, text, choices);
    };
    return {key, meaning, set, [=](const Settings& from) { return show(from.*member); }};
}

}  // namespace

const std::vector<Setting>& all_settings()
{
    static const std::vector<Setting> settings = {
        setting("server.listen", &Settings::listen,
                "Address and port that the server listens on; port 0 takes a free one."),
        whole_number("server.loops", &Settings::loops, 0, 256,
                     "Event loops, each with a thread of its own; 0: one per processor core."),
        whole_number("server.max_connections", &Settings::max_connections, 1, 1'000'000,
                     "Connections at the same time; those beyond are told 503."),
        setting("server.allow_plain_http", &Settings::allow_plain_http,
                "Allows HTTP without TLS on addresses that other machines can reach."),
        setting(
            "server.public_url", &Settings::public_url,
            "Where clients find this server, e.g. https://chat.example.org; makes links absolute."),
        setting("server.cors_origins", &Settings::cors_origins,
                "Web origins whose pages may call the interface, comma-separated; * allows all."),
        setting("server.tls_cert", &Settings::tls_cert,
                "PEM file with the certificate and its chain; read again on SIGHUP."),
        setting("server.tls_key", &Settings::tls_key,
                "PEM file with the certificate's private key."),
        setting("metrics.listen", &Settings::metrics_listen,
                "Address and port of the Prometheus metrics; off: none."),
        one_of("log.level", &Settings::log_level, {"debug", "info", "warn", "error"},
               "The least important kind of log line that is written."),
        one_of("log.format", &Settings::log_format, {"auto", "people", "json"},
               "auto: for people on a terminal, one JSON object per line elsewhere."),
    };
    return settings;
}

Result<> set(Settings& settings, std::string_view key, std::string_view value)
{
    const auto& known = all_settings();
    const auto found = std::ranges::find(known, key, &Setting::key);
    if (found != known.end()) return found->set(settings, value);
    std::vector<std::string_view> keys;
    for (const auto& each : known) keys.push_back(each.key);
    const auto near = nearest(key, keys);
    return invalid_request("There is no setting \"" + std::string(key) + "\"." +
                           (near ? " Did you mean " + std::string(*near) + "?" : "") +
                           " `parley serve --help-settings` lists them all.");
}

Result<> set(Settings& settings, std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos)
        return invalid_request("--set takes KEY=VALUE, such as --set server.loops=2; \"" +
                               std::string(assignment) + "\" has no equals sign.");
    return set(settings, assignment.substr(0, equals), assignment.substr(equals + 1));
}

Result<> check(const Settings& settings)
{
    const auto listen = http::parse_address(settings.listen);
    if (!listen) return invalid_request("server.listen: " + listen.error().message + ".");
    const auto metrics = http::parse_address(settings.metrics_listen);
    const bool no_metrics = settings.metrics_listen.empty() || settings.metrics_listen == "off";
    if (!no_metrics && !metrics)
        return invalid_request("metrics.listen: " + metrics.error().message + ", or off.");
    if (const auto origins = api::check_origins(settings.cors_origins); !origins)
        return invalid_request("server.cors_origins: " + origins.error().message);
    if (settings.tls_cert.empty() != settings.tls_key.empty())
        return invalid_request("TLS needs both files: give --tls-cert and --tls-key together.");
    if (settings.tls_cert.empty() && !listen->address().is_loopback() && !settings.allow_plain_http)
        return invalid_request(
            "Plain HTTP on " + settings.listen +
            " would send passwords and tokens readable over the network. Give --tls-cert and "
            "--tls-key, listen on 127.0.0.1 behind a proxy, or set server.allow_plain_http=true.");
    return {};
}

}  // namespace parley::app
