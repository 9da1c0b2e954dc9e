// The contract tests of the event log.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class EventLogContract : public ChatContractTest {
protected:
    using Types = std::vector<EventType>;

    EventPage read(const Owner& owner, std::int64_t after = 0, EventTypes types = EventTypes::all(),
                   std::size_t limit = 1000)
    {
        return block_on(store->events().read(owner, after, types, limit)).value();
    }
    Types types_of(const Owner& owner, std::int64_t after = 0)
    {
        Types types;
        for (const Event& event : read(owner, after).events) types.push_back(event.type);
        return types;
    }
    std::int64_t latest(const Owner& owner) { return read(owner).latest; }
};

TEST_F(EventLogContract, IsEmptyAtFirst)
{
    const EventPage page = read(anas);
    EXPECT_TRUE(page.events.empty());
    EXPECT_EQ(page.oldest, 1);
    EXPECT_EQ(page.latest, 0);
    EXPECT_EQ(page.read_to, 0);
    EXPECT_EQ(read({"usr_none", false}).latest, 0);
}

TEST_F(EventLogContract, TellsOfSessionsAndRunsInOrder)
{
    NewRun wanted = first_run(anas);
    wanted.run.cause = {.request = "req_1"};
    const RunWithMessages whole = begin(wanted).value().whole;
    EXPECT_EQ(found(whole).run.cause, wanted.run.cause);
    ASSERT_TRUE(finish(whole));
    const std::string session = whole.run.session;
    ASSERT_TRUE(block_on(sessions().change_session(
        anas, session, {.title = "New", .now = later(), .cause = {.request = "req_2"}})));
    ASSERT_TRUE(block_on(
        sessions().remove_session(anas, session, {.now = later(), .cause = {.request = "req_3"}})));

    const EventPage page = read(anas);
    ASSERT_EQ(page.events.size(), 5U);
    EXPECT_EQ(types_of(anas),
              (Types{EventType::session_created, EventType::run_created, EventType::run_completed,
                     EventType::session_updated, EventType::session_deleted}));
    for (std::size_t i = 0; i < page.events.size(); ++i) {
        EXPECT_EQ(page.events[i].number, static_cast<std::int64_t>(i) + 1);
        EXPECT_TRUE(page.events[i].id.starts_with("evt_"));
        const bool is_run = i == 1 || i == 2;
        EXPECT_EQ(page.events[i].subject, is_run ? whole.run.id : session);
        EXPECT_EQ(page.events[i].parent, is_run ? session : "");
        EXPECT_EQ(page.events[i].cause.request, i < 3 ? "req_1" : i == 3 ? "req_2" : "req_3");
    }
    EXPECT_EQ(page.events[0].at, whole.run.created_at);
    EXPECT_EQ(page.events[4].at, clock.now());
    EXPECT_EQ(page.latest, 5);
    EXPECT_EQ(page.read_to, 5);
    EXPECT_TRUE(read(bens).events.empty());
    EXPECT_TRUE(read(anas_test).events.empty());
}

TEST_F(EventLogContract, TellsHowARunEnded)
{
    const Session session = created(anas);
    for (const auto& [status, type] :
         {std::pair(RunStatus::failed, EventType::run_failed),
          std::pair(RunStatus::cancelled, EventType::run_cancelled),
          std::pair(RunStatus::interrupted, EventType::run_interrupted)}) {
        FinishedRun end = end_of(begun(session).run);
        end.status = status;
        ASSERT_TRUE(block_on(runs().finish_run(end)));
        EXPECT_EQ(types_of(anas).back(), type);
        EXPECT_FALSE(block_on(runs().finish_run(end)));
        EXPECT_EQ(types_of(anas).back(), type);
    }
    EXPECT_EQ(latest(anas), 7);
}

TEST_F(EventLogContract, TellsThatRunsEndWithTheirSession)
{
    const RunWithMessages whole = begun(created(anas));
    ASSERT_TRUE(block_on(sessions().remove_session(anas, whole.run.session, {.now = later()})));
    const auto events = read(anas, 2).events;
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].type, EventType::run_cancelled);
    EXPECT_EQ(events[0].subject, whole.run.id);
    EXPECT_EQ(events[1].type, EventType::session_deleted);
    EXPECT_FALSE(finish(whole));
    EXPECT_EQ(latest(anas), 4);
}

TEST_F(EventLogContract, HasNothingOfWhatWasRefusedOrRepeated)
{
    const Session session = created(anas);
    const RunWithMessages whole = begun(session);
    const std::int64_t before = latest(anas);
    EXPECT_FALSE(begin(new_run(session)));  // Busy.
    EXPECT_FALSE(block_on(sessions().change_session(anas, session.id, {.now = later()}, 77)));
    EXPECT_FALSE(block_on(sessions().remove_session(anas, session.id, {.expected = 77})));
    EXPECT_FALSE(block_on(sessions().remove_session(bens, session.id)));
    EXPECT_EQ(latest(anas), before);
    EXPECT_EQ(latest(bens), 0);

    NewRun keyed = first_run(anas);
    keyed.key = claim("once");
    ASSERT_TRUE(begin(keyed));
    NewRun again = first_run(anas);
    again.key = claim("once");
    EXPECT_TRUE(begin(again).value().replayed);
    EXPECT_EQ(latest(anas), before + 2);
}

TEST_F(EventLogContract, TellsOfTokensAndLogins)
{
    const auto audit = [this] { return std::optional(new_event()); };
    const Token token = new_token('p', ana.id);
    ASSERT_TRUE(block_on(tokens().add_token(token, audit())));
    ASSERT_TRUE(block_on(tokens().add_token(new_token('c'), audit())));
    const NewLogin first = new_login(ana);
    ASSERT_TRUE(
        block_on(tokens().begin_login(first.login, first.access, first.refresh, {}, audit())));
    const NewLogin second = new_login(ana);
    ASSERT_TRUE(
        block_on(tokens().begin_login(second.login, second.access, second.refresh, {}, audit())));
    ASSERT_TRUE(block_on(tokens().end_login(first.login.id, audit())));
    ASSERT_TRUE(block_on(tokens().end_login(first.login.id, audit())));  // Is gone already.
    ASSERT_TRUE(block_on(tokens().revoke(ana.id, token.id, audit())));
    EXPECT_FALSE(block_on(tokens().revoke(ana.id, token.id, audit())));
    ASSERT_TRUE(block_on(tokens().revoke(ana.id, second.login.id, audit())));
    EXPECT_EQ(types_of(anas),
              (Types{EventType::token_created, EventType::login_created, EventType::login_created,
                     EventType::login_ended, EventType::token_revoked, EventType::login_ended}));
    const auto events = read(anas).events;
    EXPECT_EQ(events[0].subject, token.id);
    EXPECT_EQ(events[0].cause.request, "req_1");
    EXPECT_EQ(events[5].subject, second.login.id);
    EXPECT_EQ(latest(bens), 0);
}

TEST_F(EventLogContract, DoesNotTellOfTokensThatCommandsUseWhileTheyRun)
{
    Token token = new_token('p', ana.id);
    token.is_temporary = true;
    ASSERT_TRUE(block_on(tokens().add_token(token, new_event())));
    EXPECT_TRUE(block_on(tokens().find_token(token.hash)).value().token.is_temporary);
    ASSERT_TRUE(block_on(tokens().revoke(ana.id, token.id, new_event())));
    Token other = new_token('t', ana.id);
    other.is_temporary = true;
    ASSERT_TRUE(block_on(tokens().add_token(other, new_event())));
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.ends_tokens = true}, {new_event()})));
    EXPECT_FALSE(ContractTest::is_there(other));
    EXPECT_EQ(latest(anas), 0);
}

TEST_F(EventLogContract, TellsOfAllThatANewPasswordEnds)
{
    const NewLogin kept = begun_login(ana);
    const NewLogin ended = begun_login(ana);
    const Token token = added_token('p', ana.id);
    const Token test = added_token('t', ana.id);
    begun_login(ben);
    ASSERT_TRUE(block_on(accounts().change_user(
        ana.id, {.password_hash = "new", .login_to_keep = kept.login.id, .ends_tokens = true},
        {new_event()})));
    EXPECT_TRUE(ContractTest::is_there(kept.access));
    for (const Token& gone : {ended.access, ended.refresh, token, test})
        EXPECT_FALSE(ContractTest::is_there(gone));
    const auto events = read(anas).events;
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0].type, EventType::login_ended);
    EXPECT_EQ(events[0].subject, ended.login.id);
    EXPECT_EQ(events[1].subject, token.id);
    EXPECT_EQ(events[2].subject, test.id);
    EXPECT_EQ(events[2].type, EventType::token_revoked);
}

TEST_F(EventLogContract, GivesPagesAndTheTypesThatAreWanted)
{
    for (int i = 0; i < 10; ++i) asked(created(anas));  // Three events each.
    std::vector<std::int64_t> numbers;
    for (std::int64_t after = 0;;) {
        const EventPage page = read(anas, after, EventTypes::all(), 7);
        for (const Event& event : page.events) numbers.push_back(event.number);
        after = page.read_to;
        if (after == page.latest) break;
    }
    ASSERT_EQ(numbers.size(), 30U);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(numbers[i], static_cast<std::int64_t>(i) + 1);

    EventTypes ends;
    ends.add(EventType::run_completed);
    const EventPage page = read(anas, 4, ends, 3);
    ASSERT_EQ(page.events.size(), 3U);
    EXPECT_EQ(page.events[0].number, 6);
    EXPECT_EQ(page.read_to, 12);
    EXPECT_EQ(read(anas, 28, ends).events.at(0).number, 30);
    EXPECT_TRUE(read(anas, 30, ends).events.empty());
    EXPECT_TRUE(read(anas, 0, EventTypes()).events.empty());
    EXPECT_EQ(read(anas, 0, EventTypes()).read_to, 30);
}

TEST_F(EventLogContract, ForgetsTheOldestAndNeverUsesANumberTwice)
{
    created(anas);
    created(anas);
    created(bens);
    clock.advance(24h);
    const TimePoint today = clock.now();
    created(anas);
    EXPECT_EQ(block_on(store->events().sweep(today, 1)).value(), 1U);
    EXPECT_EQ(block_on(store->events().sweep(today, 10)).value(), 2U);
    EXPECT_EQ(block_on(store->events().sweep(today, 10)).value(), 0U);
    EXPECT_EQ(read(anas).oldest, 3);
    EXPECT_EQ(read(anas).events.size(), 1U);
    EXPECT_EQ(read(bens).oldest, 2);
    EXPECT_EQ(read(bens).latest, 1);
    EXPECT_EQ(read(bens).read_to, 1);
    created(bens);
    EXPECT_EQ(read(bens).events.at(0).number, 2);
    clock.advance(24h);
    EXPECT_EQ(block_on(store->events().sweep(clock.now(), 10)).value(), 2U);
    EXPECT_EQ(read(bens).oldest, 3);
}

TEST_F(EventLogContract, GoesWithItsUserAndSurvivesAReopening)
{
    created(anas);
    created(anas_test);
    created(bens);
    const auto before = read(bens).events;
    if (keeps()) reopen();
    EXPECT_EQ(read(bens).events, before);
    ASSERT_TRUE(block_on(accounts().remove_user(ana.id)));
    EXPECT_EQ(latest(anas), 0);
    EXPECT_EQ(latest(anas_test), 0);
    EXPECT_EQ(latest(bens), 1);
}

TEST_F(EventLogContract, WakesThoseWhoFollowIt)
{
    EventSignal& signal = store->events().signal();
    const auto anas_follower = signal.follow(anas);
    const auto bens_follower = signal.follow(bens);
    created(anas);
    EXPECT_TRUE(block_on(signal.wait(anas_follower)));
    std::vector<Task<>> tasks;
    tasks.push_back([](EventSignal& shared, EventSignal::FollowerRef waiting) -> Task<> {
        EXPECT_TRUE(co_await shared.wait(waiting));
    }(signal, anas_follower));
    tasks.push_back([](Sessions& made, Session session) -> Task<> {
        EXPECT_TRUE(co_await made.create_session(std::move(session)));
    }(sessions(), new_session(anas)));
    block_on_each(std::move(tasks));

    signal.stop(bens_follower);
    EXPECT_FALSE(block_on(signal.wait(bens_follower)));
    signal.stop_all();
    EXPECT_FALSE(block_on(signal.wait(anas_follower)));
    EXPECT_FALSE(block_on(signal.wait(signal.follow(bens))));
}

}  // namespace
}  // namespace parley::store
