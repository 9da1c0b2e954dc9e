#include "metrics/webhook_metrics.hpp"

#include <string>
#include <utility>

namespace parley::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;

MetricFamily gauge_of(const char* name, const char* help, std::uint64_t value)
{
    ClientMetric metric;
    metric.gauge.value = static_cast<double>(value);
    return {name, help, prometheus::MetricType::Gauge, {std::move(metric)}};
}

ClientMetric attempts(const char* outcome, std::uint64_t count)
{
    ClientMetric metric;
    metric.label = {{"outcome", outcome}};
    metric.counter.value = static_cast<double>(count);
    return metric;
}

}  // namespace

void WebhookMetrics::watch(std::function<WebhookFigures()> read)
{
    const MutexLock lock(mutex_);
    read_ = std::move(read);
}

void WebhookMetrics::add_figures(std::vector<MetricFamily>& families)
{
    const MutexLock lock(mutex_);
    if (!read_) return;
    const WebhookFigures now = read_();
    families.push_back({"parley_webhook_attempts_total",
                        "Attempts to deliver an event to a webhook.",
                        prometheus::MetricType::Counter,
                        {attempts("succeeded", now.succeeded), attempts("failed", now.failed)}});
    families.push_back(gauge_of("parley_webhook_attempts_active",
                                "Attempts waiting for a response.", now.sending));
    families.push_back(
        gauge_of("parley_webhooks_active", "Webhooks that are not disabled.", now.endpoints));
}

}  // namespace parley::metrics
