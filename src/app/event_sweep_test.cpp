#include "app/event_sweep.hpp"

#include "base/block_on.hpp"
#include "store/sqlite/memory_store.hpp"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using namespace std::chrono_literals;

class EventSweepTest : public testing::Test {
protected:
    EventSweepTest()
    {
        store::User user;
        user.id = ana.user;
        user.username = user.name_key = "ana";
        user.created_at = clock.now();
        EXPECT_TRUE(block_on(store->accounts().add_user(user)));
        happen("ses_1");
    }

    void happen(const std::string& session)
    {
        EXPECT_TRUE(block_on(store->sessions().create_session(
            {.id = session, .owner = ana, .created_at = clock.now(), .updated_at = clock.now()})));
    }
    std::size_t events()
    {
        return block_on(store->events().read(ana, 0, EventTypes::all(), 10)).value().events.size();
    }
    void sweep_once()
    {
        boost::asio::io_context loop{1};
        sweep.begin(loop.get_executor());
        loop.run();
    }

    const Owner ana{"usr_1", false};
    ManualClock clock;
    std::unique_ptr<store::Store> store = store::make_memory_store();
    TrustedTime time{clock, "boot"};
    EventSweep sweep{*store, time, std::chrono::days(7)};
};

TEST_F(EventSweepTest, RemovesOnlyOldEvents)
{
    clock.advance(std::chrono::days(5));
    happen("ses_2");
    sweep_once();
    EXPECT_EQ(events(), 2U);
    clock.advance(std::chrono::days(3));
    sweep_once();
    EXPECT_EQ(events(), 1U);
}

TEST_F(EventSweepTest, RemovesNothingWhileTheClocksDisagree)
{
    clock.advance(std::chrono::days(8));  // The event has expired.
    clock.set(clock.now() + std::chrono::days(30));
    time.look();
    sweep_once();
    EXPECT_EQ(events(), 1U);
    for (std::chrono::minutes passed = 0min; passed <= 24h; passed += 1min) {
        clock.advance(1min);
        time.look();
    }
    sweep_once();
    EXPECT_EQ(events(), 0U);
}

}  // namespace
}  // namespace parley::app
