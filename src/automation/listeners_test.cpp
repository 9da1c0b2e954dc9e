// Automations that listen, with a store in memory and a clock that tests move.
#include "automation/listeners.hpp"

#include "chat/chat_for_tests.hpp"
#include "engine/scripted/scripted_engine.hpp"
#include "journal/file/file_journal.hpp"
#include "store/sqlite/memory_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <thread>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class ListenersTest : public chat::ChatTest {
protected:
    void listen()
    {
        boost::asio::co_spawn(context, follow(), boost::asio::detached);
        thread = std::thread([this] { context.run(); });
    }
    void TearDown() override
    {
        boost::asio::post(context, [this] { listeners.stop(); });
        if (thread.joinable()) thread.join();
    }
    Task<> follow() { EXPECT_TRUE(co_await listeners.follow(ana)); }

    static std::string definition(const std::string& type)
    {
        api::EventTrigger trigger;
        trigger.event_types = {type};
        api::AutomationDefinition fields;
        fields.name = "Listener";
        fields.message = "hello";
        fields.trigger.emplace().kind = trigger;
        return Definition::make(std::move(fields), schedule::Zones::none(), 300s).value().write();
    }
    store::Automation created(const std::string& type)
    {
        const TimePoint now = system_clock().now();
        const store::Automation wanted{.id = new_id("aut", now),
                                       .owner = ana,
                                       .name = "Listener",
                                       .name_key = "listener",
                                       .definition = definition(type),
                                       .overlap = Overlap::allow,
                                       .evaluated_until = now,
                                       .listens = true,
                                       .created_at = now,
                                       .updated_at = now};
        return block_on(store->automations().create(wanted, 100, std::nullopt, {}))
            .value()
            .automation;
    }
    store::Session happen()
    {
        const TimePoint now = system_clock().now();
        const store::Session session{
            .id = new_id("ses", now), .owner = ana, .created_at = now, .updated_at = now};
        EXPECT_TRUE(block_on(store->sessions().create_session(session)));
        return session;
    }
    void start_by_hand(const store::Automation& automation)
    {
        const TimePoint now = system_clock().now();
        const store::AutomationRun row{.id = new_id("aru", now),
                                       .automation = automation.id,
                                       .key = new_id("key", now),
                                       .scheduled_for = now,
                                       .values = "{}",
                                       .not_before = now,
                                       .created_at = now};
        EXPECT_TRUE(block_on(store->ledger().add(ana, {row}, {})));
    }
    std::size_t count(const store::AutomationRunFilter& filter)
    {
        std::size_t rows = 0;
        std::optional<store::Ledger::Position> after;
        do {
            const auto page = block_on(store->ledger().list(ana, filter, after, 100)).value();
            rows += page.items.size();
            after = page.next;
        } while (after);
        return rows;
    }
    static void until(const std::function<bool()>& seen)
    {
        const auto deadline = std::chrono::steady_clock::now() + 1min;
        while (!seen()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "it never came true";
            std::this_thread::sleep_for(5ms);
        }
    }
    void until_entered(std::size_t wanted)
    {
        until([&] { return entered >= wanted; });
    }

    ManualClock clock;
    std::atomic<std::size_t> entered = 0;
    boost::asio::io_context context;
    const schedule::Zones zones = schedule::Zones::none();
    Listeners listeners{{*store, *runs, errors, zones, clock, [this] { ++entered; }}};
    std::thread thread;
};

TEST_F(ListenersTest, EnterSixHundredRowsOfALogInAMinute)
{
    clock.advance(1h);
    created("chat.session.created");
    for (int i = 0; i < 605; ++i) happen();
    listen();
    until_entered(600);
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(entered, 600U);
    clock.advance(1min);
    until_entered(605);
}

// Each row is an event that all others hear, so that few steps would enter many thousands.
TEST_F(ListenersTest, EnterAThousandRowsOfOneCause)
{
    clock.advance(1h);
    for (int i = 0; i < 12; ++i) created("automation.run.*");
    const store::Automation first = created("chat.session.deleted");
    start_by_hand(first);
    listen();
    until_entered(600);
    clock.advance(1min);
    until_entered(1000);
    // An event behind them is heard, though the minute has room for less than all of these.
    const store::Automation other = created("chat.session.created");
    happen();
    until([&] { return count({.automation = other.id}) == 1; });
    EXPECT_LE(count({.trigger = TriggerType::event}), 1001U + 1U);
    EXPECT_GE(count({.status = AutomationRunStatus::skipped}), 1U);
    // Another cause has a thousand of its own.
    start_by_hand(first);
    until([&] { return count({.trigger = TriggerType::event}) >= 1002U + 12U; });
}

TEST_F(ListenersTest, HearByTheNewestDefinition)
{
    clock.advance(1h);
    store::Automation automation = created("chat.session.deleted");
    listen();
    happen();
    automation.definition = definition("chat.session.created");
    ASSERT_TRUE(block_on(store->automations().change(
        {.automation = automation, .seen = automation.revision, .is_due_anew = true})));
    happen();
    until_entered(1);
    EXPECT_EQ(block_on(store->ledger().list(ana, {}, {}, 10)).value().items.size(), 1U);
}

}  // namespace
}  // namespace parley::automation
