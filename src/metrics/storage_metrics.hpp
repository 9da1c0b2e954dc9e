// Metrics of storage: commits and checkpoints of the store, the journal of events, and the free
// disk space.
//
// Threads: any.
#pragma once

#include "base/mutex.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>
#include <vector>

namespace parley::metrics {

// Read whenever the metrics are requested.
struct StorageFigures {
    std::uint64_t store_bytes = 0;
    std::uint64_t store_log_bytes = 0;
    std::uint64_t writes_waiting = 0;
    std::uint64_t reads_waiting = 0;
    std::uint64_t journal_bytes = 0;
    std::uint64_t journal_segments = 0;
    std::uint64_t journal_waiting = 0;
    std::uint64_t journal_records = 0;  // Since the start.
    std::uint64_t journal_batches = 0;  // Since the start.
    std::uint64_t disk_free_bytes = 0;
    // Figures of servers that share a database; 0 members: this one has its own.
    std::uint64_t cluster_members = 0;
    std::uint64_t cluster_fenced = 0;  // How often this one was fenced since its start.
    std::chrono::milliseconds cluster_silence{0};
};

class StorageMetrics {
public:
    explicit StorageMetrics(prometheus::Registry& registry);

    void committed(std::size_t jobs, std::chrono::nanoseconds took);
    void checkpointed(std::chrono::nanoseconds took);

    // Registers the source; nullptr unregisters it.
    void watch(std::function<StorageFigures()> read);

    void add_figures(std::vector<prometheus::MetricFamily>& families);

private:
    prometheus::Histogram& commit_sizes_;
    prometheus::Histogram& commit_durations_;
    prometheus::Histogram& checkpoint_durations_;

    Mutex mutex_;
    std::function<StorageFigures()> read_ GUARDED_BY(mutex_);
};

}  // namespace parley::metrics
