// What is measured of runs: how many there are and how they ended, how long a question waits for
// its first word, how many events are sent and read; and of models: tokens and failures.
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

    // Both null: there is nothing to read any more.
    void watch(std::function<chat::RunFigures()> read, const engine::Models* models);

    void add_figures(std::vector<prometheus::MetricFamily>& families);

private:
    prometheus::Histogram& first_deltas_;

    Mutex mutex_;
    std::function<chat::RunFigures()> read_ GUARDED_BY(mutex_);
    const engine::Models* models_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace parley::metrics
