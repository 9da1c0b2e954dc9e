// Metrics of runs: number and outcome, time from a question to the first token, events sent and
// read; and of models: tokens and failures.
//
// Threads: any.
#pragma once

#include "base/mutex.hpp"
#include "chat/runs.hpp"
#include "engine/models.hpp"

#include <chrono>
#include <functional>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>
#include <vector>

namespace parley::metrics {

class ChatMetrics {
public:
    explicit ChatMetrics(prometheus::Registry& registry);

    void first_delta(std::chrono::nanoseconds took);

    // Null arguments unregister.
    void watch(std::function<chat::RunFigures()> read, const engine::Models* models);

    void add_figures(std::vector<prometheus::MetricFamily>& families);

private:
    prometheus::Histogram& first_deltas_;

    Mutex mutex_;
    std::function<chat::RunFigures()> read_ GUARDED_BY(mutex_);
    const engine::Models* models_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace parley::metrics
