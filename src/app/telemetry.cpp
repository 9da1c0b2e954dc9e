#include "app/telemetry.hpp"

#include "app/version.hpp"
#include "base/escape_control.hpp"
#include "base/log.hpp"
#include "base/secret_file.hpp"

#include <array>
#include <unistd.h>

namespace parley::app {
namespace {

constexpr std::size_t most_headers = std::size_t{16} * 1024;

// Tells servers apart.
std::string instance_name(const Settings& settings)
{
    if (!settings.cluster_name.empty()) return settings.cluster_name;
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) host.front() = '?';
    return std::string(host.data()) + " " + settings.listen;
}

Result<std::vector<http::client::ClientField>> fields_in(const std::string& file)
{
    if (file.empty()) return std::vector<http::client::ClientField>();
    const auto text = read_secret_file(file, most_headers, Privacy::group);
    if (!text) return invalid_request("telemetry.headers_file: " + text.error().message);
    auto fields = tracing::otlp::read_fields(text->reveal());
    if (!fields)
        return invalid_request("telemetry.headers_file: " + in_quotes(file) + ": " +
                               fields.error().message);
    return fields;
}

}  // namespace

Result<std::unique_ptr<tracing::otlp::Exporter>> open_telemetry(const Settings& settings,
                                                                metrics::Metrics& metrics)
{
    if (settings.otlp_url.empty()) return std::unique_ptr<tracing::otlp::Exporter>();
    auto url = tracing::otlp::traces_url(settings.otlp_url);
    if (!url) return invalid_request("telemetry.otlp_url: " + url.error().message);
    auto fields = fields_in(settings.otlp_headers_file);
    if (!fields) return fields.error();
    log::info("exporting spans", log::kv("server", url->host_and_port()));
    auto exporter = std::make_unique<tracing::otlp::Exporter>(tracing::otlp::Options{
        .url = std::move(*url),
        .fields = std::move(*fields),
        .resource = {.version = version, .instance = instance_name(settings)}});
    metrics.watch_spans([exporter = exporter.get()] {
        const auto figures = exporter->figures();
        return metrics::SpanFigures{figures.exported, figures.dropped};
    });
    return exporter;
}

}  // namespace parley::app
