// Export of spans, if the settings name a collector.
#pragma once

#include "app/settings.hpp"
#include "base/error.hpp"
#include "metrics/metrics.hpp"
#include "tracing/otlp/exporter.hpp"

#include <memory>

namespace parley::app {

// Null without telemetry.otlp_url. Fails with a message for the operator.
Result<std::unique_ptr<tracing::otlp::Exporter>> open_telemetry(const Settings& settings,
                                                                metrics::Metrics& metrics);

}  // namespace parley::app
