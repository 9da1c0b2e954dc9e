#include "metrics/metrics.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <gmock/gmock.h>
#include <thread>

namespace parley::metrics {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

TEST(Metrics, CountsByStatusAndMeasuresDurations)
{
    Metrics metrics;
    RequestMetrics& row = metrics.requests("/a/{b}", "GET", "general");
    metrics.requests("/c", "GET", "general").served(200, 1ms);
    row.served(200, 3ms);
    row.served(200, 2s);
    row.served(404, 1us);
    const auto text = metrics.text();
    EXPECT_THAT(text, HasSubstr(R"({method="GET",route="/a/{b}",status="200"} 2)"));
    EXPECT_THAT(text, HasSubstr(R"({method="GET",route="/a/{b}",status="404"} 1)"));
    EXPECT_THAT(text, HasSubstr(R"(duration_seconds_bucket{class="general",le="0.005"} 3)"));
    EXPECT_THAT(text, HasSubstr(R"(duration_seconds_count{class="general"} 4)"));
}

TEST(Metrics, LosesNoCountWhenAStatusIsFirstSeenByManyThreads)
{
    Metrics metrics;
    RequestMetrics& row = metrics.requests("/", "GET", "none");
    {
        std::vector<std::jthread> threads;
        threads.reserve(8);
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
                for (int status = 200; status < 220; ++status) row.count(status);
            });
    }
    const auto text = metrics.text();
    for (int status = 200; status < 220; ++status)
        EXPECT_THAT(text, HasSubstr("status=\"" + std::to_string(status) + "\"} 8\n"));
}

TEST(Metrics, TellsWhatTheServerCounts)
{
    Metrics metrics;
    EXPECT_THAT(metrics.text(), Not(HasSubstr("parley_http_connections")));
    ServerFigures figures{.connections = {3, 4}, .accepted = 12, .turned_away = 2};
    metrics.watch_server([&] { return figures; });
    metrics.observe_loop_lag(1, 20ms);
    figures.connections[0] = 5;
    const auto text = metrics.text();
    EXPECT_THAT(text, HasSubstr("parley_http_connections{loop=\"0\"} 5\n"));
    EXPECT_THAT(text, HasSubstr("parley_http_connections{loop=\"1\"} 4\n"));
    EXPECT_THAT(text, HasSubstr("parley_http_connections_accepted_total 12\n"));
    EXPECT_THAT(text, HasSubstr("parley_http_connections_turned_away_total 2\n"));
    EXPECT_THAT(text, HasSubstr("parley_loop_lag_seconds_bucket{loop=\"1\",le=\"0.025\"} 1\n"));
}

TEST(Metrics, TellWhatTheKernelKnowsOfTheProcess)
{
    // The kernel counts in hundredths of a second, and this may be the first one.
    while (std::clock() < CLOCKS_PER_SEC / 50) {
    }
    Metrics metrics;
    const auto text = metrics.text();
    for (const char* name : {"process_cpu_seconds_total", "process_resident_memory_bytes",
                             "process_virtual_memory_bytes", "process_start_time_seconds",
                             "process_open_fds", "process_max_fds"})
        EXPECT_THAT(text, ContainsRegex(std::string("\n") + name + " [1-9]|\n" + name + " 0\\."))
            << name;
}

TEST(Metrics, CountSpansOnlyIfTheyAreExported)
{
    Metrics metrics;
    EXPECT_THAT(metrics.text(), Not(HasSubstr("parley_telemetry")));
    metrics.watch_spans([] { return SpanFigures{.exported = 7, .dropped = 2}; });
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr("parley_telemetry_spans_total{outcome=\"exported\"} 7\n"));
    EXPECT_THAT(text, HasSubstr("parley_telemetry_spans_total{outcome=\"dropped\"} 2\n"));
}

}  // namespace
}  // namespace parley::metrics
