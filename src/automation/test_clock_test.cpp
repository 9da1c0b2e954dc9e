// Moves of the test clock, with a store in memory.
#include "automation/test_clock.hpp"

#include "base/rfc3339.hpp"
#include "chat/chat_for_tests.hpp"

#include <algorithm>
#include <set>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class TestClockTest : public chat::ChatTest {
protected:
    void create_hourly(const Owner& owner)
    {
        api::AutomationDefinition fields;
        fields.name = "Hourly";
        fields.message = "hello";
        fields.trigger =
            api::Trigger{api::ScheduleTrigger{.cron = "0 * * * *", .time_zone = "UTC"}};
        ASSERT_TRUE(block_on(automations.create(owner, fields, {}, {})));
    }
    std::vector<Result<>> moved_at_once(const Owner& owner, std::size_t times)
    {
        std::vector<Task<Result<>>> moves;
        for (std::size_t i = 0; i < times; ++i) moves.push_back(test_clock.set(owner, in_an_hour));
        return block_on_all(std::move(moves));
    }

    ManualClock clock;
    const schedule::Zones zones = schedule::Zones::load().value();
    const webhook::Sealer sealer{Secret("a key for tests")};
    const HookSecrets secrets{sealer};
    Automations automations{*store, *runs, models, zones, secrets, clock, {}, [] {}};
    TestClock test_clock{*store,
                         *runs,
                         zones,
                         errors,
                         clock,
                         [] {},
                         [](const Owner&) { return std::shared_ptr<void>(); }};
    const Owner anas_test{ana.user, true};
    const Owner bens_test{ben.user, true};
    const TimePoint in_an_hour = clock.now() + 1h;
};

TEST_F(TestClockTest, EntersTheRowsOfAllAutomations)
{
    constexpr std::size_t automations_of_ana = 35;  // More than are read at once.
    for (std::size_t i = 0; i < automations_of_ana; ++i) create_hourly(anas_test);
    create_hourly(bens_test);
    create_hourly(ana);
    ASSERT_TRUE(block_on(test_clock.set(anas_test, in_an_hour)));
    const auto rows = block_on(store->ledger().list(anas_test, {}, {}, 100)).value().items;
    std::set<std::string> of;
    for (const store::AutomationRun& row : rows) of.insert(row.automation);
    EXPECT_EQ(rows.size(), automations_of_ana);
    EXPECT_EQ(of.size(), automations_of_ana);
    for (const Owner& other : {bens_test, ana})
        EXPECT_TRUE(block_on(store->ledger().list(other, {}, {}, 100)).value().items.empty());
}

TEST_F(TestClockTest, MovesOfAUserComeOneAfterAnotherAndNotTooManyWait)
{
    create_hourly(anas_test);
    constexpr std::size_t most = 1 + store::UserTurns::most_waiting;
    const auto is_done = [](const Result<>& moved) { return moved.has_value(); };
    const auto moved = moved_at_once(anas_test, most + 2);
    EXPECT_EQ(std::ranges::count_if(moved, is_done), std::ptrdiff_t{most});
    for (const Result<>& each : moved)
        if (!each) EXPECT_EQ(each.error().code, Errc::overloaded);
    EXPECT_EQ(block_on(store->ledger().list(anas_test, {}, {}, 100)).value().items.size(), 1U);
    EXPECT_TRUE(std::ranges::all_of(moved_at_once(anas_test, most), is_done)) << "all have ended";
    EXPECT_TRUE(block_on(test_clock.set(bens_test, in_an_hour)));
}

}  // namespace
}  // namespace parley::automation
