#include "metrics/storage_metrics.hpp"

#include "metrics/seconds.hpp"

#include <string>
#include <utility>

namespace parley::metrics {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

const prometheus::Histogram::BucketBoundaries size_buckets{1,  2,   4,   8,   16,  32,
                                                           64, 128, 256, 512, 1024};

const prometheus::Histogram::BucketBoundaries disk_buckets{
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5};

prometheus::Histogram& histogram(prometheus::Registry& registry, const std::string& name,
                                 const std::string& help,
                                 const prometheus::Histogram::BucketBoundaries& buckets)
{
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add({}, buckets);
}

MetricFamily gauge(std::string name, std::string help, std::uint64_t value)
{
    prometheus::ClientMetric metric;
    metric.gauge.value = static_cast<double>(value);
    return {std::move(name), std::move(help), MetricType::Gauge, {metric}};
}

MetricFamily counter(std::string name, std::string help, std::uint64_t value)
{
    prometheus::ClientMetric metric;
    metric.counter.value = static_cast<double>(value);
    return {std::move(name), std::move(help), MetricType::Counter, {metric}};
}

}  // namespace

StorageMetrics::StorageMetrics(prometheus::Registry& registry)
    : commit_sizes_(histogram(registry, "parley_store_commit_size", "Number of changes per commit.",
                              size_buckets)),
      commit_durations_(histogram(
          registry, "parley_store_commit_duration_seconds",
          "Commit duration, from the beginning of the transaction to its sync.", disk_buckets)),
      checkpoint_durations_(histogram(registry, "parley_store_checkpoint_duration_seconds",
                                      "Checkpoint duration: committed pages are moved from the "
                                      "write-ahead log to the database file.",
                                      disk_buckets))
{
}

void StorageMetrics::committed(std::size_t jobs, std::chrono::nanoseconds took)
{
    commit_sizes_.Observe(static_cast<double>(jobs));
    commit_durations_.Observe(in_seconds(took));
}

void StorageMetrics::checkpointed(std::chrono::nanoseconds took)
{
    checkpoint_durations_.Observe(in_seconds(took));
}

void StorageMetrics::watch(std::function<StorageFigures()> read)
{
    const MutexLock lock(mutex_);
    read_ = std::move(read);
}

void StorageMetrics::add_figures(std::vector<MetricFamily>& families)
{
    const MutexLock lock(mutex_);
    if (!read_) return;
    const StorageFigures now = read_();
    for (MetricFamily& family : std::vector<MetricFamily>{
             gauge("parley_store_bytes", "Size of the database file.", now.store_bytes),
             gauge("parley_store_log_bytes", "Size of the database's write-ahead log.",
                   now.store_log_bytes),
             gauge("parley_store_writes_waiting", "Changes waiting for the next commit.",
                   now.writes_waiting),
             gauge("parley_store_reads_waiting", "Queries waiting for a reader.",
                   now.reads_waiting),
             gauge("parley_journal_bytes", "Size of the journal of events.", now.journal_bytes),
             gauge("parley_journal_segments", "Files of the journal.", now.journal_segments),
             gauge("parley_journal_waiting_bytes", "Events waiting to be written, in bytes.",
                   now.journal_waiting),
             counter("parley_journal_records_total", "Events written to the journal.",
                     now.journal_records),
             counter("parley_journal_batches_total", "Writes to the journal.", now.journal_batches),
             gauge("parley_disk_free_bytes", "Free space on the disk of the data directory.",
                   now.disk_free_bytes),
         })
        families.push_back(std::move(family));
    if (now.cluster_members == 0) return;
    families.push_back(
        gauge("parley_cluster_members", "Servers that share the database.", now.cluster_members));
    families.push_back(counter("parley_cluster_fenced_total",
                               "How often other servers have taken over from this one.",
                               now.cluster_fenced));
    families.push_back(gauge("parley_cluster_silence_milliseconds",
                             "Time since the last renewal of the lease that the database answered.",
                             static_cast<std::uint64_t>(now.cluster_silence.count())));
}

}  // namespace parley::metrics
