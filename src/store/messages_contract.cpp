// The contract tests of messages and the branches that they form.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class MessagesContract : public ChatContractTest {
protected:
    auto branch(const Session& session, std::optional<std::string> leaf, bool ascending = true,
                std::optional<Messages::Position> after = {}, std::size_t limit = 100)
    {
        return block_on(messages().list_branch(session.owner, session.id, std::move(leaf),
                                               ascending, after, limit));
    }
    // The texts of all pages one behind the other, with their depths checked on the way.
    std::string texts(const Session& session, const std::optional<std::string>& leaf,
                      bool ascending = true, std::size_t limit = 100)
    {
        std::string seen;
        std::optional<Messages::Position> after;
        do {
            const auto page = branch(session, leaf, ascending, after, limit).value().page;
            EXPECT_LE(page.items.size(), limit);
            for (const PlacedMessage& each : page.items) {
                EXPECT_EQ(each.message.depth, after ? *after + (ascending ? 1 : -1)
                                                    : (ascending ? 0 : each.message.depth));
                after = each.message.depth;
                seen += each.message.parts.at(0);
            }
            if (page.next) EXPECT_EQ(page.next, after);
            after = page.next;
        } while (after);
        return seen;
    }
    void expect_branch(const Session& session, const std::optional<std::string>& leaf,
                       const std::string& wanted)
    {
        const std::string backwards(wanted.rbegin(), wanted.rend());
        for (const std::size_t limit : {1U, 2U, 3U, 5U, 100U}) {
            EXPECT_EQ(texts(session, leaf, true, limit), wanted);
            EXPECT_EQ(texts(session, leaf, false, limit), backwards);
        }
    }
    // One letter asks, another answers.
    RunWithMessages asked(const Session& session, Placement placement, const std::string& letters)
    {
        return ChatContractTest::asked(session, std::move(placement), letters.substr(0, 1),
                                       letters.substr(1));
    }
};

TEST_F(MessagesContract, GivesMessagesBackAsTheyWere)
{
    const Session session = created(anas);
    NewRun wanted = new_run(session);
    wanted.question->parts = {"a\0b"s, "", std::string(131'072, 'x'), "\u2028\U0001F600", "\xff"};
    wanted.question->metadata = {{"k", "v\0"s}};
    const RunWithMessages begun = begin(wanted).value().whole;
    Message question = *wanted.question;
    question.session = session.id;
    EXPECT_EQ(begun.question, question);
    EXPECT_EQ(found(question, anas).message, question);

    FinishedRun end = end_of(begun.run);
    end.answer.parts = {};
    end.answer.stop_reason = StopReason::max_tokens;
    end.answer.metadata = {{"n", "1"}};
    end.answer.created_at += std::chrono::microseconds(999);
    ASSERT_TRUE(block_on(runs().finish_run(end)));
    Message answer = end.answer;
    answer.created_at -= std::chrono::microseconds(999);
    answer.id = begun.run.answer;
    answer.session = session.id;
    answer.parent = question.id;
    answer.depth = 1;
    answer.speaker = Speaker::assistant;
    answer.run = begun.run.id;
    EXPECT_EQ(found(answer, anas).message, answer);
    EXPECT_EQ(found(begun).answer, answer);
}

TEST_F(MessagesContract, ShowsAMessageToItsOwnerAlone)
{
    const Session session = created(anas);
    const RunWithMessages whole = asked(session, AfterNewest{}, "aA");
    for (const Owner& other : {bens, anas_test}) {
        EXPECT_EQ(block_on(messages().find_message(other, whole.question.id)).error().code,
                  Errc::not_found);
        EXPECT_EQ(block_on(messages().list_branch(other, session.id, {}, true, {}, 9)).error().code,
                  Errc::not_found);
    }
    EXPECT_EQ(block_on(messages().find_message(anas, "msg_none")).error().code, Errc::not_found);
}

TEST_F(MessagesContract, ListsABranchPageByPageInBothOrders)
{
    const Session session = created(anas);
    EXPECT_TRUE(branch(session, {}).value().page.items.empty());
    EXPECT_EQ(branch(session, {}).value().leaf, std::nullopt);
    RunWithMessages last;
    for (const char* letters : {"aA", "bB", "cC", "dD"})
        last = asked(session, AfterNewest{}, letters);
    expect_branch(session, {}, "aAbBcCdD");
    EXPECT_EQ(branch(session, {}).value().leaf, last.run.answer);
    // The end of a branch may be any message.
    expect_branch(session, last.question.id, "aAbBcCd");
    EXPECT_EQ(branch(session, last.question.id).value().leaf, last.question.id);

    EXPECT_EQ(branch(session, {}, true, {}, 8).value().page.next, std::nullopt);
    EXPECT_EQ(branch(session, {}, true, {}, 7).value().page.next, 6);
    EXPECT_EQ(branch(session, {}, false, {}, 7).value().page.next, 1);
    constexpr auto far = std::numeric_limits<Messages::Position>::max();
    EXPECT_TRUE(branch(session, {}, true, far).value().page.items.empty());
    EXPECT_TRUE(branch(session, {}, true, 7).value().page.items.empty());
    EXPECT_TRUE(branch(session, {}, false, 0).value().page.items.empty());
    EXPECT_TRUE(branch(session, {}, false, -far).value().page.items.empty());
    EXPECT_EQ(branch(session, {}, true, -far).value().page.items.size(), 8U);
    EXPECT_EQ(branch(session, {}, false, far).value().page.items.size(), 8U);
}

TEST_F(MessagesContract, FindsALeafOnlyInItsSession)
{
    const Session session = created(anas);
    const Session another = created(anas);
    const RunWithMessages whole = asked(session, AfterNewest{}, "aA");
    asked(another, AfterNewest{}, "bB");
    EXPECT_EQ(branch(another, whole.question.id).error().code, Errc::not_found);
    EXPECT_EQ(branch(another, "msg_none").error().code, Errc::not_found);
    EXPECT_EQ(branch(new_session(anas), {}).error().code, Errc::not_found);
}

TEST_F(MessagesContract, KeepsBranchesOfBranchesApart)
{
    const Session session = created(anas);
    const RunWithMessages a = asked(session, AfterNewest{}, "aA");
    const RunWithMessages b = asked(session, AfterNewest{}, "bB");
    const RunWithMessages c = asked(session, AfterNewest{}, "cC");
    // Another question where b was asked, and one more below that.
    const RunWithMessages d = asked(session, ReplyTo{a.run.answer}, "dD");
    const RunWithMessages e = asked(session, AfterNewest{}, "eE");
    // A branch of that branch, which begins right behind its first answer.
    const RunWithMessages f = asked(session, ReplyTo{d.run.answer}, "fF");
    // The first branch goes on below c; b's answer is branched as well.
    const RunWithMessages g = asked(session, ReplyTo{c.run.answer}, "gG");
    const RunWithMessages h = asked(session, ReplyTo{b.run.answer}, "hH");
    // Another beginning, and one below it.
    const RunWithMessages i = asked(session, NewRoot{}, "iI");
    const RunWithMessages j = asked(session, AfterNewest{}, "jJ");

    expect_branch(session, a.run.answer, "aA");
    expect_branch(session, c.run.answer, "aAbBcC");
    expect_branch(session, e.run.answer, "aAdDeE");
    expect_branch(session, f.run.answer, "aAdDfF");
    expect_branch(session, f.question.id, "aAdDf");
    expect_branch(session, g.run.answer, "aAbBcCgG");
    expect_branch(session, h.run.answer, "aAbBhH");
    expect_branch(session, i.run.answer, "iI");
    expect_branch(session, {}, "iIjJ");
    EXPECT_EQ(found(session).message_count, 20);

    const auto siblings = [&](const Message& of) { return found(of, anas).siblings; };
    using Ids = std::vector<std::string>;
    EXPECT_EQ(siblings(b.question), (Ids{b.question.id, d.question.id}));
    EXPECT_EQ(siblings(d.question), siblings(b.question));
    EXPECT_EQ(siblings(c.question), (Ids{c.question.id, h.question.id}));
    EXPECT_EQ(siblings(a.question), (Ids{a.question.id, i.question.id}));
    EXPECT_EQ(siblings(i.question), siblings(a.question));
    EXPECT_EQ(siblings(*g.answer), Ids{g.run.answer});
    for (const PlacedMessage& each : branch(session, g.run.answer).value().page.items)
        EXPECT_EQ(each.siblings, siblings(each.message));
    EXPECT_EQ(j.question.parent, i.run.answer);
    EXPECT_EQ(i.question.parent, std::nullopt);
    EXPECT_EQ(i.question.depth, 0);
    EXPECT_EQ(h.question.depth, 4);
}

TEST_F(MessagesContract, FindsTheNewestMessageBelowAnother)
{
    const auto newest = [&](const Session& in, const std::string& message) {
        return block_on(messages().newest_below(anas, in.id, message));
    };
    const Session session = created(anas);
    const RunWithMessages a = asked(session, AfterNewest{}, "aA");
    const RunWithMessages b = asked(session, AfterNewest{}, "bB");
    const RunWithMessages c = asked(session, ReplyTo{a.run.answer}, "cC");
    const RunWithMessages d = asked(session, ReplyTo{b.run.answer}, "dD");
    const RunWithMessages e = asked(session, ReplyTo{b.run.answer}, "eE");
    const RunWithMessages f = asked(session, NewRoot{}, "fF");
    EXPECT_EQ(newest(session, a.question.id).value(), e.run.answer);
    EXPECT_EQ(newest(session, b.question.id).value(), e.run.answer);
    EXPECT_EQ(newest(session, c.question.id).value(), c.run.answer);
    EXPECT_EQ(newest(session, d.question.id).value(), d.run.answer);
    EXPECT_EQ(newest(session, e.run.answer).value(), e.run.answer);
    EXPECT_EQ(newest(session, f.question.id).value(), f.run.answer);
    EXPECT_EQ(newest(created(anas), a.question.id).error().code, Errc::not_found);
    EXPECT_EQ(newest(session, "msg_none").error().code, Errc::not_found);
    EXPECT_EQ(block_on(messages().newest_below(bens, session.id, a.question.id)).error().code,
              Errc::not_found);
}

TEST_F(MessagesContract, PutsEveryAnswerToAQuestionBesideTheOthers)
{
    const Session session = created(anas);
    const RunWithMessages first = asked(session, AfterNewest{}, "aA");
    const RunWithMessages below = asked(session, AfterNewest{}, "bB");
    const RunWithMessages second = asked(session, Regenerate{first.question.id}, "-X");
    const RunWithMessages third = asked(session, Regenerate{first.question.id}, "-Y");
    const RunWithMessages below_second = asked(session, ReplyTo{second.run.answer}, "cC");
    expect_branch(session, below.run.answer, "aAbB");
    expect_branch(session, third.run.answer, "aY");
    expect_branch(session, below_second.run.answer, "aXcC");
    EXPECT_EQ(found(*second.answer, anas).siblings,
              (std::vector{first.run.answer, second.run.answer, third.run.answer}));
    EXPECT_EQ(second.question, first.question);
    EXPECT_EQ(found(session).message_count, 8);
}

TEST_F(MessagesContract, BranchesWhileAnswersAreBeingWritten)
{
    const Session session = created(anas);
    const RunWithMessages a = asked(session, AfterNewest{}, "aA");
    const RunWithMessages b = begun(session, AfterNewest{}, "b");
    const RunWithMessages c = begun(session, ReplyTo{a.run.answer}, "c");
    const RunWithMessages again = begun(session, Regenerate{b.question.id});
    ASSERT_TRUE(finish(again, "1"));
    ASSERT_TRUE(finish(c, "2"));
    ASSERT_TRUE(finish(b, "3"));
    expect_branch(session, again.run.answer, "aAb1");
    expect_branch(session, c.run.answer, "aAc2");
    expect_branch(session, b.run.answer, "aAb3");
    EXPECT_EQ(found(session).newest_message, b.run.answer);
}

TEST_F(MessagesContract, TakesALongWindingBranch)
{
    const Session session = created(anas);
    std::string wanted;
    std::string above;
    for (int i = 0; i < 40; ++i) {
        const std::string letters{static_cast<char>('a' + i % 26), static_cast<char>('A' + i % 26)};
        const Placement placement =
            above.empty() ? Placement(NewRoot{}) : Placement(ReplyTo{above});
        // Every third question is asked twice, and it goes on below the second.
        if (i % 3 == 0) asked(session, placement, "xX");
        above = asked(session, placement, letters).run.answer;
        wanted += letters;
    }
    expect_branch(session, {}, wanted);
}

}  // namespace
}  // namespace parley::store
