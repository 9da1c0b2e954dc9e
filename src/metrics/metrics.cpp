#include "metrics/metrics.hpp"

#include "metrics/process_metrics.hpp"
#include "metrics/seconds.hpp"

#include <prometheus/text_serializer.h>
#include <utility>

namespace parley::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// From a health probe to a slow model.
const prometheus::Histogram::BucketBoundaries request_buckets{
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25,   0.5,     1,      2.5,   5,      10,    30,   60,    300};

const prometheus::Histogram::BucketBoundaries lag_buckets{
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1};

ClientMetric counter(std::uint64_t count)
{
    ClientMetric metric;
    metric.counter.value = static_cast<double>(count);
    return metric;
}

void add_server_figures(const ServerFigures& figures, std::vector<MetricFamily>& families)
{
    MetricFamily open{.name = "parley_http_connections",
                      .help = "Open connections.",
                      .type = MetricType::Gauge,
                      .metric = {}};
    for (std::size_t loop = 0; loop < figures.connections.size(); ++loop) {
        ClientMetric metric;
        metric.label.push_back({"loop", std::to_string(loop)});
        metric.gauge.value = static_cast<double>(figures.connections[loop]);
        open.metric.push_back(std::move(metric));
    }
    families.push_back(std::move(open));
    families.push_back({.name = "parley_http_connections_accepted_total",
                        .help = "Connections accepted since the start.",
                        .type = MetricType::Counter,
                        .metric = {counter(figures.accepted)}});
    families.push_back({.name = "parley_http_connections_turned_away_total",
                        .help = "Connections refused because there were too many.",
                        .type = MetricType::Counter,
                        .metric = {counter(figures.turned_away)}});
}

void add_span_figures(const SpanFigures& figures, std::vector<MetricFamily>& families)
{
    MetricFamily spans{.name = "parley_telemetry_spans_total",
                       .help = "Spans by outcome: exported to the collector, or dropped.",
                       .type = MetricType::Counter,
                       .metric = {}};
    for (const auto& [outcome, count] :
         {std::pair("exported", figures.exported), {"dropped", figures.dropped}}) {
        ClientMetric metric = counter(count);
        metric.label.push_back({"outcome", outcome});
        spans.metric.push_back(std::move(metric));
    }
    families.push_back(std::move(spans));
}

}  // namespace

RequestMetrics::RequestMetrics(prometheus::Family<prometheus::Counter>& requests,
                               prometheus::Histogram& durations, std::string route,
                               std::string method)
    : requests_(requests),
      durations_(durations),
      route_(std::move(route)),
      method_(std::move(method))
{
}

void RequestMetrics::count(int status)
{
    auto& place = by_status_.at(static_cast<std::size_t>(status - 100));
    prometheus::Counter* counter = place.load(std::memory_order_acquire);
    if (!counter) {
        // Two threads may arrive at once: both get the same counter.
        counter = &requests_.Add(
            {{"route", route_}, {"method", method_}, {"status", std::to_string(status)}});
        place.store(counter, std::memory_order_release);
    }
    counter->Increment();
}

void RequestMetrics::served(int status, std::chrono::nanoseconds took)
{
    count(status);
    durations_.Observe(in_seconds(took));
}

Metrics::Metrics()
    : requests_(prometheus::BuildCounter()
                    .Name("parley_http_requests_total")
                    .Help("Answered requests, by route, method and status.")
                    .Register(registry_)),
      durations_(prometheus::BuildHistogram()
                     .Name("parley_http_request_duration_seconds")
                     .Help("Request duration, from the head to the response or to the end of the "
                           "event stream, by limit class.")
                     .Register(registry_)),
      loop_lag_(prometheus::BuildHistogram()
                    .Name("parley_loop_lag_seconds")
                    .Help("Event loop lag.")
                    .Register(registry_))
{
}

RequestMetrics& Metrics::requests(const std::string& route, const std::string& method,
                                  const std::string& group)
{
    auto& durations = durations_.Add({{"class", group}}, request_buckets);
    const MutexLock lock(mutex_);
    return rows_.emplace_back(requests_, durations, route, method);
}

void Metrics::observe_loop_lag(std::size_t loop, std::chrono::nanoseconds lag)
{
    loop_lag_.Add({{"loop", std::to_string(loop)}}, lag_buckets).Observe(in_seconds(lag));
}

void Metrics::watch_server(std::function<ServerFigures()> read)
{
    const MutexLock lock(mutex_);
    read_server_ = std::move(read);
}

void Metrics::watch_spans(std::function<SpanFigures()> read)
{
    const MutexLock lock(mutex_);
    read_spans_ = std::move(read);
}

std::string Metrics::text()
{
    auto families = registry_.Collect();
    for (auto& family : process_metrics()) families.push_back(std::move(family));
    storage_.add_figures(families);
    chat_.add_figures(families);
    webhooks_.add_figures(families);
    {
        const MutexLock lock(mutex_);
        if (read_server_) add_server_figures(read_server_(), families);
        if (read_spans_) add_span_figures(read_spans_(), families);
    }
    return prometheus::TextSerializer().Serialize(families);
}

}  // namespace parley::metrics
