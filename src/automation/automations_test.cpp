// Creating an automation with an idempotency key, and one whose time zone is gone, with a store in
// memory.
#include "automation/automations.hpp"

#include "base/rfc3339.hpp"
#include "chat/chat_for_tests.hpp"

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class AutomationsTest : public chat::ChatTest {
protected:
    api::AutomationDefinition due_in_a_minute()
    {
        api::AutomationDefinition fields;
        fields.name = "Soon";
        fields.message = "hello";
        fields.trigger = api::Trigger{
            api::ScheduleTrigger{.at = rfc3339(clock.now() + 1min), .time_zone = "UTC"}};
        return fields;
    }
    store::KeyClaim claim(unsigned char fingerprint = 1)
    {
        store::KeyClaim made{.key = "k", .now = clock.now(), .expires_at = clock.now() + 24h};
        made.fingerprint[0] = fingerprint;
        return made;
    }
    Result<ShownAutomation> create(const api::AutomationDefinition& fields,
                                   std::optional<store::KeyClaim> key)
    {
        return block_on(automations.create(ana, fields, std::move(key), {}));
    }

    ManualClock clock;
    const schedule::Zones zones = schedule::Zones::load().value();
    const webhook::Sealer sealer{Secret("a key for tests")};
    const HookSecrets secrets{sealer};
    Automations automations{*store, *runs, models, zones, secrets, clock, {}, [] {}};
};

TEST_F(AutomationsTest, ARetryGetsWhatItsRequestHasCreatedThoughItsTimeIsOver)
{
    const api::AutomationDefinition fields = due_in_a_minute();
    const auto made = create(fields, claim()).value();
    clock.advance(1h);
    const auto again = create(fields, claim()).value();
    EXPECT_TRUE(again.replayed);
    EXPECT_EQ(again.automation.id, made.automation.id);
    EXPECT_EQ(create(fields, claim(2)).error().code, Errc::idempotency_mismatch);
    ASSERT_TRUE(block_on(automations.remove(ana, made.automation.id, {}, {})));
    EXPECT_EQ(create(fields, claim()).error().code, Errc::not_found);
}

TEST_F(AutomationsTest, ARefusedRequestBindsNoKey)
{
    const api::AutomationDefinition fields = due_in_a_minute();
    clock.advance(1h);
    EXPECT_EQ(create(fields, claim()).error().code, Errc::validation_failed);
    EXPECT_FALSE(create(due_in_a_minute(), claim(2)).value().replayed);
}

TEST_F(AutomationsTest, OneWhoseTimeZoneIsGoneCanBeChangedPausedAndRunByHand)
{
    const store::Automation made = create(due_in_a_minute(), {}).value().automation;
    const schedule::Zones none = schedule::Zones::none();
    Automations later{*store, *runs, models, none, secrets, clock, {}, [] {}};
    const auto change = [&](const boost::json::object& given) {
        const auto may_hear = [](const auto&) { return Result<>(); };
        return block_on(later.change(ana, made.id, given, {}, may_hear, {}));
    };
    EXPECT_EQ(change({{"name", "Later"}}).value().automation.next_at, made.next_at);
    const store::Automation paused = change({{"paused", true}}).value().automation;
    EXPECT_EQ(paused.state, AutomationState::paused);
    EXPECT_EQ(paused.overlap, Overlap::skip);
    EXPECT_EQ(later.view(paused).trigger->schedule()->time_zone, "UTC");
    EXPECT_EQ(change({{"paused", false}}).error().faults.at(0).code, "unknown_time_zone");

    const auto started = block_on(later.start(ana, {.automation = made.id, .inputs = {{}}}));
    ASSERT_TRUE(started);
    EXPECT_EQ(started->rows.size(), 1U);
}

}  // namespace
}  // namespace parley::automation
