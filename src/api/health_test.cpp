#include "api/api.hpp"
#include "api/pipeline_for_tests.hpp"
#include "api/readiness.hpp"
#include "reference/routes.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

class HealthTest : public testing::Test {
protected:
    HealthTest() { readiness.end_start(); }

    Readiness readiness;
    TestedPipeline tested{health_routes(), [this](Services& services) { services.add(readiness); }};
};

TEST_F(HealthTest, SaysThatTheProcessLives)
{
    const auto response = tested.ask("GET", "/healthz");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"status":"ok"})");
    EXPECT_EQ(field_of(response, "Content-Type"), "application/json");
    EXPECT_EQ(field_of(response, "Cache-Control"), "no-store");
}

TEST_F(HealthTest, SaysThatTheServerIsReady)
{
    const auto response = tested.ask("GET", "/readyz");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"status":"ready"})");
}

TEST(Health, IsNotReadyBeforeTheStartHasEnded)
{
    Readiness readiness;
    EXPECT_FALSE(readiness.check());
    readiness.end_start();
    EXPECT_TRUE(readiness.check());
}

TEST_F(HealthTest, IsAliveButNotReadyWhileShuttingDown)
{
    readiness.begin_shutdown();
    EXPECT_EQ(tested.ask("GET", "/healthz").status, 200);
    const auto response = tested.ask("GET", "/readyz");
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(code_of(response), "shutting_down");
    EXPECT_EQ(field_of(response, "Retry-After"), "1");
}

TEST_F(HealthTest, IsNotReadyWhereWhatItNeedsIsBroken)
{
    readiness.depend_on([] { return Error{Errc::storage_unavailable, "The disk failed."}; });
    EXPECT_EQ(tested.ask("GET", "/healthz").status, 200);
    EXPECT_EQ(code_of(tested.ask("GET", "/readyz")), "storage_unavailable");
}

TEST_F(HealthTest, TellsBalancersToSendNothingNewWhileItShutsDown)
{
    const auto response = tested.ask("GET", "/lbz");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "");
    readiness.depend_on([] { return Error{Errc::storage_unavailable, "The disk failed."}; });
    EXPECT_EQ(tested.ask("GET", "/lbz").status, 503);
    readiness.begin_drain();
    EXPECT_EQ(tested.ask("GET", "/lbz").status, 404);
    EXPECT_EQ(code_of(tested.ask("GET", "/readyz")), "shutting_down");
    EXPECT_TRUE(readiness.check_open());
    readiness.begin_shutdown();
    EXPECT_EQ(tested.ask("GET", "/lbz").status, 404);
    EXPECT_FALSE(readiness.check_open());
}

TEST(Routes, AllHaveASummary)
{
    for (const Route& route : reference::all_routes())
        EXPECT_FALSE(route.summary.empty()) << route.path;
}

}  // namespace
}  // namespace parley::api
