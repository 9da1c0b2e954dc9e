// What the kernel knows about this process, under the names that Prometheus clients agree on.
#pragma once

#include <prometheus/metric_family.h>
#include <vector>

namespace parley::api {

std::vector<prometheus::MetricFamily> process_metrics();

}  // namespace parley::api
