#include "api/api.hpp"
#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::api {
namespace {

TEST(MetricsRoutes, AreServedOverATableOfTheirOwn)
{
    metrics::Metrics metrics;
    TestedPipeline tested(metrics_routes(), [&](Services& services) { services.add(metrics); });
    const auto response = tested.ask("GET", "/metrics");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(field_of(response, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_THAT(response.body, testing::HasSubstr("# TYPE process_open_fds gauge\n"));
    EXPECT_EQ(code_of(tested.ask("GET", "/healthz")), "not_found");
    EXPECT_EQ(code_of(tested.ask("POST", "/metrics")), "method_not_allowed");
}

}  // namespace
}  // namespace parley::api
