// Fencing does not keep the server that fences from renewing its own lease.
#include "cluster/postgres/fence.hpp"

#include "journal/postgres/database_for_tests.hpp"
#include "store/postgres/patience_for_tests.hpp"

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
using store::postgres::comes_true;
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
    EXPECT_TRUE(comes_true([&] { return fence(database.link, replica, 0ms); }));
}

// As connections whose processes do not end at once: they are not waited for one after the other.
TEST_F(FenceTest, EndsAllConnectionsAtTheSameTime)
{
    const auto owners = links(30, connection_name(database.link, replica));
    for (const auto& owner : owners) ::kill(owner->process(), SIGSTOP);
    const auto begun = Steady::now();
    EXPECT_TRUE(comes_true([&] { return fence(database.link, replica, 0ms); }));
    EXPECT_LT(Steady::now() - begun, 10s);  // Half a second for each would be fifteen.
    for (const auto& owner : owners) ::kill(owner->process(), SIGCONT);
}

// As of a server that was fenced, went on, and was stopped again before it knew.
TEST_F(FenceTest, ConnectionsThatAreStuckInATransactionAreEnded)
{
    const auto owners = links(3, connection_name(database.link, replica));
    const auto left = [&] {
        int count = 0;
        for (const auto& owner : owners) count += owner->has_ended() ? 0 : 1;
        return count;
    };
    owners[0]->send("BEGIN");
    owners[0]->send("SELECT 1");
    owners[0]->answer();  // Within a pipeline.
    owners[1]->execute("BEGIN");
    std::this_thread::sleep_for(50ms);
    end_stuck_connections(database.link, 20ms, 1h);
    EXPECT_EQ(left(), 3) << "its server may go on";
    ASSERT_TRUE(comes_true([&] { return try_to_fence_oneself(database.link, replica); }));
    end_stuck_connections(database.link, 1h, 20ms);
    EXPECT_EQ(left(), 3) << "it has a moment to learn that";
    end_stuck_connections(database.link, 20ms, 1h);
    EXPECT_TRUE(comes_true([&] { return left() == 1; }));
    EXPECT_FALSE(owners[2]->has_ended()) << "it holds no lock";
}

TEST_F(FenceTest, ConnectionsThatHaveLostTheirServerAreEnded)
{
    const auto owners = links(1, connection_name(database.link, replica));
    owners[0]->send("BEGIN");
    owners[0]->answer();
    std::this_thread::sleep_for(50ms);
    end_stuck_connections(database.link, 1h, 20ms);
    EXPECT_TRUE(comes_true([&] { return owners[0]->has_ended(); }));
}

}  // namespace
}  // namespace parley::cluster::postgres
