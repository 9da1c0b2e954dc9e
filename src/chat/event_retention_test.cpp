#include "chat/event_retention.hpp"

#include "chat/chat_for_tests.hpp"

#include <utility>
#include <vector>

namespace parley::chat {
namespace {

class EventRetentionTest : public ChatTest {
protected:
    // A run that has ended, with its events. Its server stops.
    std::string ended_run()
    {
        open({.events_keep = 1h, .clock = &clock, .expiry = &time});
        const auto ended = ask(ana, saying("one two"));
        close();
        return ended.value().run.id;
    }
    bool are_stored(const std::string& run)
    {
        return block_on(store->runs().events(run)).has_value();
    }

    void sweep()
    {
        std::vector<Task<>> tasks;
        tasks.push_back(retention.sweep_if_due());
        block_on_each(std::move(tasks));
    }

    ManualClock clock;
    TrustedTime time{clock, "boot"};
    EventRetention retention{*store, clock, &time, 1h};
};

TEST_F(EventRetentionTest, RemovesEventsOnceTheyHaveExpired)
{
    clock.advance(2h);  // Since the start of the server.
    const std::string run = ended_run();
    clock.advance(59min);
    sweep();
    EXPECT_TRUE(are_stored(run));
    clock.advance(2min);
    sweep();
    EXPECT_FALSE(are_stored(run));
}

TEST_F(EventRetentionTest, RemovesNothingWhileTheClocksDisagree)
{
    const std::string run = ended_run();
    clock.advance(2h);  // They have expired.
    clock.set(clock.now() + std::chrono::days(30));
    time.look();
    sweep();
    EXPECT_TRUE(are_stored(run));
    for (std::chrono::minutes passed = 0min; passed <= 24h; passed += 1min) {
        clock.advance(1min);
        time.look();
    }
    sweep();
    EXPECT_FALSE(are_stored(run));
}

}  // namespace
}  // namespace parley::chat
