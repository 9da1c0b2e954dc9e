#include "metrics/chat_metrics.hpp"

#include "fields/write.hpp"
#include "metrics/seconds.hpp"

#include <string>
#include <utility>

namespace parley::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

ClientMetric with_state(std::string_view state)
{
    ClientMetric metric;
    metric.label.push_back({"state", std::string(state)});
    return metric;
}

void add_models(const engine::Models& models, std::vector<MetricFamily>& families)
{
    MetricFamily tokens{"parley_model_tokens_total",
                        "Tokens that models have processed (in) and generated (out).",
                        MetricType::Counter,
                        {}};
    MetricFamily errors{"parley_upstream_errors_total",
                        "Failed requests to upstream servers, each attempt counted.",
                        MetricType::Counter,
                        {}};
    const auto add = [](MetricFamily& family, const std::string& model, std::string_view direction,
                        std::uint64_t count) {
        ClientMetric metric;
        metric.label.push_back({"model", model});
        if (!direction.empty()) metric.label.push_back({"direction", std::string(direction)});
        metric.counter.value = static_cast<double>(count);
        family.metric.push_back(std::move(metric));
    };
    for (const auto& [name, engine] : models.all()) {
        const engine::Figures& figures = engine->figures();
        add(tokens, name, "in", figures.input_tokens);
        add(tokens, name, "out", figures.output_tokens);
        if (engine->relay()) add(errors, name, "", figures.upstream_errors);
    }
    families.push_back(std::move(tokens));
    if (!errors.metric.empty()) families.push_back(std::move(errors));
}

}  // namespace

ChatMetrics::ChatMetrics(prometheus::Registry& registry)
    : first_deltas_(prometheus::BuildHistogram()
                        .Name("parley_run_first_delta_seconds")
                        .Help("Time from the stored question to the first token of the answer.")
                        .Register(registry)
                        .Add({}, prometheus::Histogram::BucketBoundaries{
                                     0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
                                     2.5, 5, 10, 30, 60}))
{
}

void ChatMetrics::first_delta(std::chrono::nanoseconds took)
{
    first_deltas_.Observe(in_seconds(took));
}

void ChatMetrics::watch(std::function<chat::RunFigures()> read, const engine::Models* models)
{
    const MutexLock lock(mutex_);
    read_ = std::move(read);
    models_ = models;
}

void ChatMetrics::add_figures(std::vector<MetricFamily>& families)
{
    const MutexLock lock(mutex_);
    if (models_) add_models(*models_, families);
    if (!read_) return;
    const chat::RunFigures now = read_();

    MetricFamily active{"parley_runs", "Active runs.", MetricType::Gauge, {}};
    for (const auto& [state, count] : {std::pair("queued", now.queued), {"running", now.running}}) {
        ClientMetric metric = with_state(state);
        metric.gauge.value = static_cast<double>(count);
        active.metric.push_back(std::move(metric));
    }
    families.push_back(std::move(active));

    MetricFamily ended{"parley_runs_ended_total", "Ended runs.", MetricType::Counter, {}};
    for (const auto& [status, name] : names_of(RunStatus())) {
        if (!has_ended(status)) continue;
        ClientMetric metric = with_state(name);
        metric.counter.value = static_cast<double>(now.ended.at(static_cast<std::size_t>(status)));
        ended.metric.push_back(std::move(metric));
    }
    families.push_back(std::move(ended));

    ClientMetric events;
    events.counter.value = static_cast<double>(now.events);
    families.push_back(
        {"parley_run_events_total", "Events of runs.", MetricType::Counter, {events}});
    ClientMetric readers;
    readers.gauge.value = static_cast<double>(now.readers);
    families.push_back({"parley_run_readers",
                        "Streams and requests waiting for runs.",
                        MetricType::Gauge,
                        {readers}});
}

}  // namespace parley::metrics
