// The metrics of the server, in Prometheus' format. Labels are route templates, methods and
// statuses, never ids or paths, so their number is bounded.
//
// Threads: everything here may be called from any thread. Keep the handle (RequestMetrics) to count
// often: finding it by its labels costs more than counting.
#pragma once

#include "base/mutex.hpp"
#include "metrics/chat_metrics.hpp"
#include "metrics/storage_metrics.hpp"
#include "metrics/webhook_metrics.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <string>
#include <vector>

namespace parley::metrics {

// The metrics of one row of the route table.
class RequestMetrics {
public:
    RequestMetrics(prometheus::Family<prometheus::Counter>& requests,
                   prometheus::Histogram& durations, std::string route, std::string method);

    void count(int status);
    void served(int status, std::chrono::nanoseconds took);

private:
    prometheus::Family<prometheus::Counter>& requests_;
    prometheus::Histogram& durations_;
    std::string route_;
    std::string method_;
    // By status, from 100 on; created when a status first occurs, so that the output has no zeros.
    std::array<std::atomic<prometheus::Counter*>, 500> by_status_{};
};

// Numbers that a server counts itself; read whenever the metrics are requested.
struct ServerFigures {
    std::vector<std::size_t> connections;  // Open now, by event loop.
    std::uint64_t accepted = 0;            // Since the start.
    std::uint64_t turned_away = 0;         // Refused since the start: there were too many.
};

// Spans since the start; read likewise.
struct SpanFigures {
    std::uint64_t exported = 0;
    std::uint64_t dropped = 0;
};

class Metrics {
public:
    Metrics();

    // The handle lives as long as this object. Durations are reported by `group`: a histogram for
    // each route would be most of the output.
    RequestMetrics& requests(const std::string& route, const std::string& method,
                             const std::string& group);

    // The lag of an event loop.
    void observe_loop_lag(std::size_t loop, std::chrono::nanoseconds lag);

    // Registers the source of the server's numbers for text(); nullptr unregisters it.
    void watch_server(std::function<ServerFigures()> read);
    // The same for spans.
    void watch_spans(std::function<SpanFigures()> read);

    StorageMetrics& storage() { return storage_; }
    ChatMetrics& chat() { return chat_; }
    WebhookMetrics& webhooks() { return webhooks_; }

    // All metrics in text format 0.0.4.
    std::string text();

private:
    prometheus::Registry registry_;
    prometheus::Family<prometheus::Counter>& requests_;
    prometheus::Family<prometheus::Histogram>& durations_;
    prometheus::Family<prometheus::Histogram>& loop_lag_;
    StorageMetrics storage_{registry_};
    ChatMetrics chat_{registry_};
    WebhookMetrics webhooks_;

    Mutex mutex_;
    std::deque<RequestMetrics> rows_ GUARDED_BY(mutex_);
    std::function<ServerFigures()> read_server_ GUARDED_BY(mutex_);
    std::function<SpanFigures()> read_spans_ GUARDED_BY(mutex_);
};

}  // namespace parley::metrics
