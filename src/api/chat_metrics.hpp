// What is measured of runs: how many there are and how they ended, how long a question waits for
// its first word, how many events are sent and read.
//
// Threads: any.
#pragma once

#include "chat/runs.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>
#include <vector>

namespace parley::api {

class ChatMetrics {
public:
    explicit ChatMetrics(prometheus::Registry& registry);

    void first_delta(std::chrono::nanoseconds took);

    // Until called again; nothing to stop.
    void watch(std::function<chat::RunFigures()> read);

    void add_figures(std::vector<prometheus::MetricFamily>& families);

private:
    prometheus::Histogram& first_deltas_;

    std::mutex mutex_;  // Guards what follows.
    std::function<chat::RunFigures()> read_;
};

}  // namespace parley::api
