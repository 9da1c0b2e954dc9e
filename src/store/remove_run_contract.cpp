// The contract tests of the removal of runs.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class RemoveRunContract : public ChatContractTest {
protected:
    Result<RemovedRun> remove(const RunWithMessages& whole, Cause cause = {})
    {
        return block_on(
            runs().remove_run(whole.run.owner, whole.run.id, later(), std::move(cause)));
    }
    bool exists(const RunWithMessages& whole)
    {
        return block_on(runs().find_run(whole.run.owner, whole.run.id)).has_value();
    }
    bool exists(const std::string& message)
    {
        return block_on(messages().find_message(anas, message)).has_value();
    }
    std::vector<std::string> branch(const Session& session, std::optional<std::string> leaf = {})
    {
        const auto read = block_on(
            messages().list_branch(anas, session.id, std::move(leaf), true, std::nullopt, 100));
        std::vector<std::string> texts;
        for (const auto& item : read.value().page.items)
            texts.push_back(item.message.parts.front());
        return texts;
    }
};

TEST_F(RemoveRunContract, TakesWhatHangsBelow)
{
    const Session session = created(anas);
    const auto first = asked(session, AfterNewest{}, "one", "1");
    const auto second = asked(session, AfterNewest{}, "two", "2");
    const auto third = asked(session, AfterNewest{}, "three", "3");
    const auto other = asked(session, ReplyTo{first.answer->id}, "other", "o");
    const auto below = asked(session, ReplyTo{second.answer->id}, "below", "b");
    ASSERT_EQ(found(session).message_count, 10);

    const auto removed = remove(second).value();
    EXPECT_EQ(removed.session, session.id);
    EXPECT_TRUE(removed.active.empty());
    EXPECT_FALSE(removed.removed_session);
    EXPECT_TRUE(exists(first) && exists(other));
    EXPECT_FALSE(exists(second) || exists(third) || exists(below));
    for (const auto& gone : {second, third, below})
        EXPECT_FALSE(exists(gone.question.id) || exists(gone.answer->id));
    const Session now = found(session);
    EXPECT_EQ(now.message_count, 4);
    EXPECT_EQ(now.newest_message, other.answer->id);
    EXPECT_EQ(branch(session), (std::vector<std::string>{"one", "1", "other", "o"}));
    EXPECT_EQ(block_on(runs().events(second.run.id)).error().code, Errc::not_found);

    // The tree can be added to where something was removed.
    const auto again = asked(session, ReplyTo{first.answer->id}, "again", "a");
    EXPECT_EQ(branch(session, again.answer->id),
              (std::vector<std::string>{"one", "1", "again", "a"}));
    EXPECT_EQ(found(other.question, anas).siblings.size(), 2U);
}

TEST_F(RemoveRunContract, LeavesAQuestionThatHasAnotherAnswer)
{
    const Session session = created(anas);
    const auto first = asked(session, AfterNewest{}, "one", "1");
    const auto again = asked(session, Regenerate{first.question.id}, "", "2");
    const auto below = asked(session, ReplyTo{first.answer->id}, "below", "b");

    EXPECT_FALSE(remove(first).value().removed_session);
    EXPECT_FALSE(exists(first) || exists(below) || exists(first.answer->id));
    EXPECT_TRUE(exists(again) && exists(first.question.id));
    EXPECT_EQ(found(session).message_count, 2);
    EXPECT_EQ(branch(session), (std::vector<std::string>{"one", "2"}));

    EXPECT_TRUE(remove(again).value().removed_session);
    EXPECT_FALSE(is_there(session) || exists(first.question.id));
}

TEST_F(RemoveRunContract, TakesWhatWasStoredWithTheQuestion)
{
    NewRun wanted = first_run(anas);
    const TimePoint at = wanted.question->created_at;
    wanted.earlier = {
        {.id = "msg_1", .parts = {"Hi"}, .created_at = at},
        {.id = "msg_2", .speaker = Speaker::assistant, .parts = {"Hello"}, .created_at = at}};
    const RunWithMessages run = begin(wanted).value().whole;
    ASSERT_TRUE(finish(run));
    const auto other = asked(*wanted.new_session, ReplyTo{"msg_2"}, "other", "o");

    EXPECT_FALSE(remove(run).value().removed_session) << "the other one is below them, too";
    EXPECT_TRUE(exists("msg_1") && exists("msg_2"));
    EXPECT_FALSE(remove(other).value().removed_session) << "it did not come with them";
    EXPECT_EQ(found(*wanted.new_session).message_count, 2);

    NewRun alone = first_run(anas);
    alone.earlier = {{.id = "msg_3", .parts = {"Hi"}, .created_at = alone.question->created_at},
                     {.id = "msg_4",
                      .speaker = Speaker::assistant,
                      .parts = {"Hello"},
                      .created_at = alone.question->created_at}};
    const RunWithMessages whole = begin(alone).value().whole;
    EXPECT_TRUE(remove(whole).value().removed_session);
    EXPECT_FALSE(exists("msg_3") || is_there(*alone.new_session));
}

TEST_F(RemoveRunContract, NamesTheRunsThatWereActive)
{
    const Session session = created(anas);
    const auto first = asked(session, AfterNewest{}, "one", "1");
    const auto second = begun(session, AfterNewest{}, "two");
    EXPECT_EQ(remove(second).value().active, std::vector<std::string>{second.run.id});
    EXPECT_EQ(finish(second).error().code, Errc::not_found);
    EXPECT_EQ(found(session).message_count, 2);
    EXPECT_TRUE(found(session).active_runs.empty());

    const auto below = begun(session, ReplyTo{first.answer->id}, "below");
    const auto removed = remove(first).value();
    EXPECT_EQ(removed.active, std::vector<std::string>{below.run.id});
    EXPECT_TRUE(removed.removed_session);
}

TEST_F(RemoveRunContract, KnowsOnlyTheOwnersRuns)
{
    const Session session = created(anas);
    const auto run = asked(session);
    for (const Owner& other : {bens, anas_test})
        EXPECT_EQ(block_on(runs().remove_run(other, run.run.id, later(), {})).error().code,
                  Errc::not_found);
    EXPECT_TRUE(exists(run));
    EXPECT_TRUE(remove(run));
    EXPECT_EQ(remove(run).error().code, Errc::not_found);
}

TEST_F(RemoveRunContract, IsToldInTheLog)
{
    const Session session = created(anas);
    const auto first = asked(session);
    const auto second = begun(session);
    const auto told = [&](std::int64_t after) {
        std::vector<EventType> types;
        for (const Event& event :
             block_on(store->events().read(anas, after, EventTypes::all(), 100)).value().events)
            types.push_back(event.type);
        return types;
    };
    const auto before = static_cast<std::int64_t>(told(0).size());
    ASSERT_TRUE(remove(second));
    EXPECT_EQ(told(before),
              (std::vector<EventType>{EventType::run_cancelled, EventType::session_updated}));
    ASSERT_TRUE(remove(first));
    EXPECT_EQ(told(before + 2), (std::vector<EventType>{EventType::session_deleted}));
}

}  // namespace
}  // namespace parley::store
