// Metrics of webhooks: attempts and their outcome, and what is being sent.
//
// Threads: any.
#pragma once

#include "base/mutex.hpp"

#include <cstdint>
#include <functional>
#include <prometheus/metric_family.h>
#include <vector>

namespace parley::metrics {

// Read whenever the metrics are requested.
struct WebhookFigures {
    std::uint64_t succeeded = 0;  // Attempts since the start.
    std::uint64_t failed = 0;
    std::uint64_t sending = 0;
    std::uint64_t endpoints = 0;
};

class WebhookMetrics {
public:
    // Registers the source; nullptr unregisters it.
    void watch(std::function<WebhookFigures()> read);

    void add_figures(std::vector<prometheus::MetricFamily>& families);

private:
    Mutex mutex_;
    std::function<WebhookFigures()> read_ GUARDED_BY(mutex_);
};

}  // namespace parley::metrics
