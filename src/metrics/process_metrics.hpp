// Process metrics from the kernel, under the usual names of Prometheus clients.
#pragma once

#include <cstdint>
#include <prometheus/metric_family.h>
#include <vector>

namespace parley::metrics {

std::vector<prometheus::MetricFamily> process_metrics();

// Resident memory in bytes; 0 if unknown.
std::uint64_t resident_bytes();

}  // namespace parley::metrics
