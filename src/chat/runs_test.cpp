#include "chat/chat_for_tests.hpp"
#include "fields/write.hpp"

namespace parley::chat {
namespace {

using RunsTest = ChatTest;

// Empty for an event that is not a delta.
std::string text_of_frame(std::int64_t number, const std::string& frame)
{
    const RunEvent event = event_of_frame(number, frame);
    return event.type == RunEvent::Type::delta ? *event.bytes : std::string();
}

TEST_F(RunsTest, AQuestionIsAnsweredAndKept)
{
    const auto ended = ask(ana, saying("Hello there, world"));
    ASSERT_TRUE(ended) << ended.error().message;
    EXPECT_EQ(ended->run.status, RunStatus::completed);
    EXPECT_EQ(text_of(*ended), "Hello there, world");
    EXPECT_EQ(ended->answer->stop_reason, StopReason::end_turn);
    const auto stored = block_on(store->runs().find_run(ana, ended->run.id));
    ASSERT_TRUE(stored);
    // Compares what clients see: the store keeps times to the millisecond.
    EXPECT_EQ(fields::write(view(*stored, errors)), fields::write(view(*ended, errors)));
    EXPECT_EQ(stored->run.usage->output_tokens, 3);
    EXPECT_EQ(journal->figures().runs, 0U);
    EXPECT_FALSE(runs->is_running(ended->run.id));
}

TEST_F(RunsTest, EventsAreNumberedWithoutAGapAndEndOnce)
{
    const auto ended = ask(ana, saying("{words:300}"));
    ASSERT_TRUE(ended);
    const auto frames = block_on(read_all(*ended, 0));
    ASSERT_EQ(frames.size(), 302U);
    for (std::size_t i = 0; i < frames.size(); ++i)
        EXPECT_TRUE(frames[i].starts_with("id: " + std::to_string(i + 1) + "\n")) << frames[i];
    EXPECT_NE(frames.front().find("event: run.created\n"), std::string::npos);
    EXPECT_NE(frames.back().find("event: run.completed\n"), std::string::npos);
    std::string text;
    for (std::size_t i = 1; i < frames.size(); ++i)
        text += text_of_frame(static_cast<std::int64_t>(i) + 1, frames[i]);
    EXPECT_EQ(text, text_of(*ended));
}

TEST_F(RunsTest, EveryReaderGetsTheSameBytesWhereverItBegins)
{
    // More than the ring holds, so that the journal and the store are read, too.
    const auto check = [&]() -> Task<bool> {
        const auto asked = co_await questions->ask(ana, saying("{words:3000}"));
        auto live = co_await read_all(asked->run, 0);
        const auto ended = *asked->run.whole();
        const auto stored = co_await read_all(ended, 0);
        EXPECT_EQ(live.size(), 3002U);
        EXPECT_EQ(live, stored);
        for (const std::int64_t after : {1, 17, 2999, 3001}) {
            const auto rest = co_await read_all(ended, after);
            EXPECT_EQ(rest, std::vector(live.begin() + after, live.end()));
            // The ended run is still held, so its feed has the same events.
            const auto late = co_await read_all(asked->run, after);
            EXPECT_EQ(late, rest);
        }
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(RunsTest, ASnapshotStandsForEventsThatAreGone)
{
    const auto ended = ask(ana, saying("one two three"));
    ASSERT_TRUE(ended);
    const auto check = [&](std::int64_t after, RunOptions options) {
        open(options);
        return block_on(read_all(*ended, after));
    };
    const auto beyond = check(99, {});
    ASSERT_EQ(beyond.size(), 2U);
    EXPECT_TRUE(beyond[0].starts_with("id: 4\nevent: run.snapshot\n")) << beyond[0];
    EXPECT_NE(beyond[0].find("one two three"), std::string::npos);
    EXPECT_TRUE(beyond[1].starts_with("id: 5\nevent: run.completed\n"));
    const auto expired = check(0, {.events_keep = 0s});
    EXPECT_EQ(expired, beyond);
    EXPECT_EQ(check(4, {.events_keep = 0s}), std::vector{beyond[1]});
}

// Events are kept for their full time even if the wall clock is wrong when the run starts.
TEST_F(RunsTest, EventsAreKeptByTheTimeThatThingsExpireBy)
{
    for (const auto off : {-48h, 48h}) {
        ManualClock clock;
        clock.set(system_clock().now());
        const TrustedTime time(clock, "boot");
        open({.events_keep = 1h, .clock = &clock, .expiry = &time});
        clock.set(clock.now() + off);
        const auto ended = ask(ana, saying("one two"));
        ASSERT_TRUE(ended);
        const auto stored = block_on(store->runs().find_run(ana, ended->run.id)).value();
        const auto told = [&] { return block_on(read_all(stored, 0)).size(); };
        clock.advance(50min);
        EXPECT_EQ(told(), 4U) << "the clock is off by " << off.count() << " hours";
        clock.advance(11min);
        EXPECT_LT(told(), 4U) << "a snapshot stands for them";
    }
}

TEST_F(RunsTest, CancellingStopsTheModelAndKeepsWhatItWrote)
{
    const auto check = [&]() -> Task<bool> {
        const auto asked = co_await questions->ask(ana, saying("{words:100}{delay_ms:200}"));
        EventReader reader = asked->run.read(0);
        for (std::size_t events = 0; events < 3;) events += (co_await reader.next())->events.size();
        asked->run.cancel();
        asked->run.cancel();
        EXPECT_TRUE(*(co_await asked->run.wait_for_end(5s)));
        const auto whole = *asked->run.whole();
        EXPECT_EQ(whole.run.status, RunStatus::cancelled);
        EXPECT_EQ(whole.answer->stop_reason, StopReason::cancelled);
        EXPECT_TRUE(text_of(whole).starts_with("w1 w2"));
        EXPECT_LT(text_of(whole).size(), 100U);
        const auto frames = co_await read_all(whole, 0);
        EXPECT_NE(frames.back().find("event: run.cancelled\n"), std::string::npos);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(RunsTest, AModelThatFailsLeavesWhatItWrote)
{
    const auto failed = ask(ana, saying("{fail_after:2}one two three four"));
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->run.status, RunStatus::failed);
    EXPECT_EQ(text_of(*failed), "one two");
    EXPECT_EQ(failed->run.usage, (Usage{.input_tokens = 4, .output_tokens = 2}));
    EXPECT_FALSE(failed->run.frees_key);
    EXPECT_EQ(failed->answer->stop_reason, StopReason::error);
    EXPECT_NE(failed->run.error->detail.find("scripted model failed"), std::string::npos);
    const auto at_once = ask(ana, saying("{error:overloaded}"));
    ASSERT_TRUE(at_once);
    EXPECT_EQ(at_once->run.status, RunStatus::failed);
    EXPECT_EQ(text_of(*at_once), "");
    EXPECT_TRUE(at_once->run.frees_key);
}

TEST_F(RunsTest, AnEventThatCannotBeKeptFailsItsRunAtOnce)
{
    Question question = saying("hello");
    // Larger than the journal accepts: a retry would not help.
    question.metadata["note"] = std::string(std::size_t{5} << 20U, 'x');
    const auto failed = ask(ana, question);
    ASSERT_TRUE(failed) << failed.error().message;
    EXPECT_EQ(failed->run.status, RunStatus::failed);
    EXPECT_NE(failed->run.error->detail.find("The run failed."), std::string::npos);
    EXPECT_FALSE(failed->run.usage);
    EXPECT_FALSE(failed->run.frees_key);
    EXPECT_EQ(block_on(read_all(*failed, 0)).size(), 1U);
}

TEST_F(RunsTest, NoneIsBegunWhereThereIsNoRoom)
{
    bool has_room = false;
    open({.check_room = [&]() -> Result<> {
        if (has_room) return {};
        return Error{Errc::storage_unavailable, "full"};
    }});
    EXPECT_EQ(ask(ana, saying("Hello")).error().code, Errc::storage_unavailable);
    EXPECT_EQ(runs->figures().running, 0U);
    has_room = true;
    EXPECT_EQ(text_of(*ask(ana, saying("Hello"))), "Hello");
}

// The scripted model has its own queue for all users; "small" stands for a real model.
TEST_F(RunsTest, TheScriptedModelTakesNoPlacesOfOthers)
{
    open({.max_concurrent = 1, .max_queued = 1});
    const auto to = [](const char* model, std::string text) {
        Question question = saying(std::move(text));
        question.model = model;
        return question;
    };
    const Owner tester{ana.user, true};
    const auto check = [&]() -> Task<bool> {
        const auto first = co_await questions->ask(ana, to("scripted", "{first_delay_ms:60000}x"));
        const auto second = co_await questions->ask(tester, to("small", "x"));
        EXPECT_EQ(second->run.view().queue_position, 1);
        EXPECT_EQ((co_await questions->ask(tester, saying("x"))).error().code, Errc::overloaded);
        EXPECT_EQ((co_await questions->ask(ana, saying("x"))).error().code, Errc::overloaded);
        const auto live = co_await turn(ana, to("small", "at once"));
        EXPECT_EQ(text_of(*live), "at once");
        EXPECT_EQ(runs->figures().running, 1U);
        EXPECT_EQ(runs->figures().queued, 1U);
        first->run.cancel();
        co_await second->run.wait_for_end(20s);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(RunsTest, OneOfTwoUsersLeavesAPlaceForTheOther)
{
    open({.max_concurrent = 2});
    const auto check = [&]() -> Task<bool> {
        const auto first = co_await questions->ask(ana, saying("{first_delay_ms:60000}x"));
        const auto second = co_await questions->ask(ana, saying("{first_delay_ms:60000}x"));
        EXPECT_EQ(second->run.view().queue_position, 1);
        EXPECT_EQ(text_of(*co_await turn(ben, saying("at once"))), "at once");
        for (const auto& asked : {first, second}) {
            asked->run.cancel();
            co_await asked->run.wait_for_end(20s);
        }
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(RunsTest, TheOnlyUserHasAllPlaces)
{
    ASSERT_TRUE(block_on(store->accounts().remove_user(ben.user)));
    open({.max_concurrent = 2});
    const auto check = [&]() -> Task<bool> {
        std::vector<RunHandle> begun;
        for (int i = 0; i < 2; ++i) {
            const auto asked = co_await questions->ask(ana, saying("{first_delay_ms:60000}x"));
            EXPECT_EQ(asked->run.view().queue_position, std::nullopt);
            begun.push_back(asked->run);
        }
        for (const RunHandle& each : begun) {
            each.cancel();
            co_await each.wait_for_end(20s);
        }
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(RunsTest, ARunThatTakesTooLongFails)
{
    open({.timeout = 1s});
    const auto late = ask(ana, saying("{words:100}{delay_ms:300}"));
    ASSERT_TRUE(late);
    EXPECT_EQ(late->run.status, RunStatus::failed);
    EXPECT_TRUE(text_of(*late).starts_with("w1 w2"));
}

TEST_F(RunsTest, OneUsersQuestionsDoNotHoldUpAnothers)
{
    open({.max_concurrent = 1});
    const auto check = [&]() -> Task<bool> {
        std::vector<RunHandle> all;
        // The first run keeps the place until all the others wait.
        all.push_back(
            (co_await questions->ask(ana, saying("{first_delay_ms:60000}x"))).value().run);
        for (int i = 1; i < 10; ++i)
            all.push_back(
                (co_await questions->ask(ana, saying("{words:3}{delay_ms:5}"))).value().run);
        const auto other = (co_await questions->ask(ben, saying("quick"))).value().run;
        EXPECT_EQ(all[0].view().status, RunStatus::running);
        EXPECT_EQ(other.view().queue_position, 1);
        EXPECT_EQ(all[1].view().queue_position, 2);
        EXPECT_EQ(all[9].view().queue_position, 10);
        all[0].cancel();
        EXPECT_TRUE(*(co_await other.wait_for_end(5s)));
        EXPECT_EQ(all[9].view().status, RunStatus::queued);
        all[9].cancel();
        EXPECT_TRUE(*(co_await all[9].wait_for_end(5s)));
        EXPECT_EQ(all[9].whole()->run.status, RunStatus::cancelled);
        EXPECT_FALSE(all[9].whole()->run.started_at);
        for (const auto& each : all) EXPECT_TRUE(*(co_await each.wait_for_end(5s)));
        EXPECT_EQ(all[8].whole()->run.status, RunStatus::completed);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    EXPECT_EQ(runs->figures().running, 0U);
    EXPECT_EQ(runs->figures().queued, 0U);
}

TEST_F(RunsTest, WhatIsLeftIsTakenUpByTheNextProcess)
{
    open({.max_concurrent = 2});
    std::vector<std::string> seen;
    std::vector<std::string> ids;
    const auto leave = [&]() -> Task<bool> {
        std::vector<RunHandle> all;
        for (const auto* text :
             {"{words:60}{delay_ms:20}", "{words:50}{delay_ms:20}", "last one"}) {
            all.push_back((co_await questions->ask(ana, saying(text))).value().run);
            ids.push_back(all.back().id());
        }
        EventReader reader = all[0].read(0);
        while (seen.size() < 10) {
            const auto batch = co_await reader.next();
            for (const RunEvent& event : batch->events)
                seen.push_back(*frame_of(event, all[0].whole()->run.answer));
        }
        runs->suspend_all();
        EXPECT_FALSE(co_await questions->ask(ana, saying("too late")));
        co_return true;
    };
    EXPECT_TRUE(block_on(leave()));
    EXPECT_TRUE(runs->wait_until_idle(0ms));
    EXPECT_EQ(block_on(store->runs().unfinished_runs())->size(), 3U);

    open();
    boost::asio::io_context loop{1};
    const std::vector<Executor> loops{loop.get_executor()};
    ASSERT_TRUE(runs->resume_unfinished(loops));
    loop.run();
    EXPECT_TRUE(block_on(store->runs().unfinished_runs())->empty());
    EXPECT_EQ(journal->figures().runs, 0U);
    const auto first = block_on(store->runs().find_run(ana, ids[0]));
    EXPECT_EQ(first->run.status, RunStatus::completed);
    const auto frames = block_on(read_all(*first, 0));
    ASSERT_EQ(frames.size(), 62U);
    EXPECT_EQ(std::vector(frames.begin(), frames.begin() + static_cast<long>(seen.size())), seen);
    std::string text;
    for (std::size_t i = 1; i < frames.size(); ++i)
        text += text_of_frame(static_cast<std::int64_t>(i) + 1, frames[i]);
    EXPECT_EQ(text, text_of(*first));
    EXPECT_TRUE(text.ends_with(" w59 w60"));
    EXPECT_EQ(text_of(*block_on(store->runs().find_run(ana, ids[2]))), "last one");
}

TEST_F(RunsTest, ADeletedSessionStaysDeletedAndItsReadersAreTold)
{
    const auto check = [&]() -> Task<bool> {
        const auto asked = co_await questions->ask(ana, saying("{words:1000}{delay_ms:10}"));
        const std::string session = asked->run.whole()->run.session;
        EventReader reader = asked->run.read(0);
        EXPECT_FALSE(co_await sessions->remove(ben, session));
        EXPECT_TRUE(co_await sessions->remove(ana, session));
        const auto frames = co_await read_all(std::move(reader), "msg");
        EXPECT_NE(frames.back().find("event: run.cancelled\n"), std::string::npos);
        EXPECT_FALSE(co_await store->runs().find_run(ana, asked->run.id()));
        EXPECT_FALSE(co_await store->sessions().find_session(ana, session));
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    EXPECT_EQ(journal->figures().runs, 0U);
}

}  // namespace
}  // namespace parley::chat
