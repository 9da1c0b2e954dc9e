// Fencing does not keep the server that fences from renewing its own lease.
#include "cluster/postgres/fence.hpp"

#include "journal/postgres/database_for_tests.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace parley::cluster::postgres {
namespace {

using namespace std::chrono_literals;
using journal::postgres::TestDatabase;
using store::postgres::Link;
using Steady = std::chrono::steady_clock;

class FenceTest : public testing::Test {
protected:
    std::vector<std::unique_ptr<Link>> links(std::size_t count,
                                             const std::string& name = "test/others")
    {
        auto options = database.options();
        const auto of_all = std::make_shared<store::postgres::ConnectionName>();
        of_all->set(name);
        options.name = of_all;
        std::vector<std::unique_ptr<Link>> links;
        for (std::size_t i = 0; i < count; ++i)
            links.push_back(std::make_unique<Link>(options, [] { return false; }));
        return links;
    }

    TestDatabase database;
    const std::int64_t replica = database.add_replica();
};

// Each of them holds it for less than a second, all together for longer.
TEST_F(FenceTest, WaitsForASecondForAllThatHoldTheLock)
{
    const auto owners = links(5);
    for (const auto& owner : owners) {
        owner->execute("BEGIN");
        owner->execute("SELECT 1 FROM replicas WHERE incarnation = " + std::to_string(replica) +
                       " FOR KEY SHARE");
    }
    std::thread ends([&] {
        for (const auto& owner : owners) {
            std::this_thread::sleep_for(800ms);
            owner->execute("COMMIT");
        }
    });
    EXPECT_FALSE(fence(database.link, replica, 0ms));
    ends.join();
    EXPECT_TRUE(fence(database.link, replica, 0ms));
}

// As connections whose processes do not end at once: they are not waited for one after the other.
TEST_F(FenceTest, EndsAllConnectionsAtTheSameTime)
{
    const auto owners = links(30, connection_name(database.link, replica));
    for (const auto& owner : owners) ::kill(owner->process(), SIGSTOP);
    const auto begun = Steady::now();
    EXPECT_TRUE(fence(database.link, replica, 0ms));
    EXPECT_LT(Steady::now() - begun, 10s);  // Half a second for each would be fifteen.
    for (const auto& owner : owners) ::kill(owner->process(), SIGCONT);
}

}  // namespace
}  // namespace parley::cluster::postgres
