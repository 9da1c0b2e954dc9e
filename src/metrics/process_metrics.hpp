// What the kernel knows about this process, under the names that Prometheus clients agree on.
#pragma once

#include <cstdint>
#include <prometheus/metric_family.h>
#include <vector>

namespace parley::metrics {

std::vector<prometheus::MetricFamily> process_metrics();

// Of memory in use; 0 if the kernel does not say.
std::uint64_t resident_bytes();

}  // namespace parley::metrics
