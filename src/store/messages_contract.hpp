// The contract tests of messages and the branches that they form.
#pragma once

#include "store/chat_contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class MessagesContract : public ChatContractTest<Maker> {
protected:
    auto branch(const Session& session, std::optional<std::string> leaf, bool ascending = true,
                std::optional<Messages::Position> after = {}, std::size_t limit = 100)
    {
        return run(this->messages().list_branch(session.owner, session.id, std::move(leaf),
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
    WholeRun asked(const Session& session, Place place, const std::string& letters)
    {
        return ChatContractTest<Maker>::asked(session, std::move(place), letters.substr(0, 1),
                                              letters.substr(1));
    }
};

TYPED_TEST_SUITE_P(MessagesContract);

TYPED_TEST_P(MessagesContract, GivesMessagesBackAsTheyWere)
{
    const Session session = this->created(this->anas);
    NewRun wanted = this->new_run(session);
    wanted.question->parts = {"a\0b"s, "", std::string(131'072, 'x'), "\u2028\U0001F600", "\xff"};
    wanted.question->metadata = {{"k", "v\0"s}};
    const WholeRun begun = this->begin(wanted).value().whole;
    Message question = *wanted.question;
    question.session = session.id;
    EXPECT_EQ(begun.question, question);
    EXPECT_EQ(this->found(question, this->anas).message, question);

    FinishedRun end = this->end_of(begun.run);
    end.answer.parts = {};
    end.answer.stop_reason = StopReason::max_tokens;
    end.answer.metadata = {{"n", "1"}};
    end.answer.created_at += std::chrono::microseconds(999);
    ASSERT_TRUE(run(this->runs().finish_run(end)));
    Message answer = end.answer;
    answer.created_at -= std::chrono::microseconds(999);
    answer.id = begun.run.answer;
    answer.session = session.id;
    answer.parent = question.id;
    answer.depth = 1;
    answer.speaker = Speaker::assistant;
    answer.run = begun.run.id;
    EXPECT_EQ(this->found(answer, this->anas).message, answer);
    EXPECT_EQ(this->found(begun).answer, answer);
}

TYPED_TEST_P(MessagesContract, ShowsAMessageToItsOwnerAlone)
{
    const Session session = this->created(this->anas);
    const WholeRun whole = this->asked(session, Newest{}, "aA");
    for (const Owner& other : {this->bens, this->anas_test}) {
        EXPECT_EQ(run(this->messages().find_message(other, whole.question.id)).error().code,
                  Errc::not_found);
        EXPECT_EQ(
            run(this->messages().list_branch(other, session.id, {}, true, {}, 9)).error().code,
            Errc::not_found);
    }
    EXPECT_EQ(run(this->messages().find_message(this->anas, "msg_none")).error().code,
              Errc::not_found);
}

TYPED_TEST_P(MessagesContract, ListsABranchPageByPageInBothOrders)
{
    const Session session = this->created(this->anas);
    EXPECT_TRUE(this->branch(session, {}).value().page.items.empty());
    EXPECT_EQ(this->branch(session, {}).value().leaf, std::nullopt);
    WholeRun last;
    for (const char* letters : {"aA", "bB", "cC", "dD"})
        last = this->asked(session, Newest{}, letters);
    this->expect_branch(session, {}, "aAbBcCdD");
    EXPECT_EQ(this->branch(session, {}).value().leaf, last.run.answer);
    // The end of a branch may be any message.
    this->expect_branch(session, last.question.id, "aAbBcCd");
    EXPECT_EQ(this->branch(session, last.question.id).value().leaf, last.question.id);

    EXPECT_EQ(this->branch(session, {}, true, {}, 8).value().page.next, std::nullopt);
    EXPECT_EQ(this->branch(session, {}, true, {}, 7).value().page.next, 6);
    EXPECT_EQ(this->branch(session, {}, false, {}, 7).value().page.next, 1);
    constexpr auto far = std::numeric_limits<Messages::Position>::max();
    EXPECT_TRUE(this->branch(session, {}, true, far).value().page.items.empty());
    EXPECT_TRUE(this->branch(session, {}, true, 7).value().page.items.empty());
    EXPECT_TRUE(this->branch(session, {}, false, 0).value().page.items.empty());
    EXPECT_TRUE(this->branch(session, {}, false, -far).value().page.items.empty());
    EXPECT_EQ(this->branch(session, {}, true, -far).value().page.items.size(), 8U);
    EXPECT_EQ(this->branch(session, {}, false, far).value().page.items.size(), 8U);
}

TYPED_TEST_P(MessagesContract, FindsALeafOnlyInItsSession)
{
    const Session session = this->created(this->anas);
    const Session another = this->created(this->anas);
    const WholeRun whole = this->asked(session, Newest{}, "aA");
    this->asked(another, Newest{}, "bB");
    EXPECT_EQ(this->branch(another, whole.question.id).error().code, Errc::not_found);
    EXPECT_EQ(this->branch(another, "msg_none").error().code, Errc::not_found);
    EXPECT_EQ(this->branch(this->new_session(this->anas), {}).error().code, Errc::not_found);
}

TYPED_TEST_P(MessagesContract, KeepsBranchesOfBranchesApart)
{
    const Session session = this->created(this->anas);
    const WholeRun a = this->asked(session, Newest{}, "aA");
    const WholeRun b = this->asked(session, Newest{}, "bB");
    const WholeRun c = this->asked(session, Newest{}, "cC");
    // Another question where b was asked, and one more below that.
    const WholeRun d = this->asked(session, Under{a.run.answer}, "dD");
    const WholeRun e = this->asked(session, Newest{}, "eE");
    // A branch of that branch, which begins right behind its first answer.
    const WholeRun f = this->asked(session, Under{d.run.answer}, "fF");
    // The first branch goes on below c; b's answer is branched as well.
    const WholeRun g = this->asked(session, Under{c.run.answer}, "gG");
    const WholeRun h = this->asked(session, Under{b.run.answer}, "hH");
    // Another beginning, and one below it.
    const WholeRun i = this->asked(session, Beginning{}, "iI");
    const WholeRun j = this->asked(session, Newest{}, "jJ");

    this->expect_branch(session, a.run.answer, "aA");
    this->expect_branch(session, c.run.answer, "aAbBcC");
    this->expect_branch(session, e.run.answer, "aAdDeE");
    this->expect_branch(session, f.run.answer, "aAdDfF");
    this->expect_branch(session, f.question.id, "aAdDf");
    this->expect_branch(session, g.run.answer, "aAbBcCgG");
    this->expect_branch(session, h.run.answer, "aAbBhH");
    this->expect_branch(session, i.run.answer, "iI");
    this->expect_branch(session, {}, "iIjJ");
    EXPECT_EQ(this->found(session).message_count, 20);

    const auto siblings = [&](const Message& of) { return this->found(of, this->anas).siblings; };
    using Ids = std::vector<std::string>;
    EXPECT_EQ(siblings(b.question), (Ids{b.question.id, d.question.id}));
    EXPECT_EQ(siblings(d.question), siblings(b.question));
    EXPECT_EQ(siblings(c.question), (Ids{c.question.id, h.question.id}));
    EXPECT_EQ(siblings(a.question), (Ids{a.question.id, i.question.id}));
    EXPECT_EQ(siblings(i.question), siblings(a.question));
    EXPECT_EQ(siblings(*g.answer), Ids{g.run.answer});
    for (const PlacedMessage& each : this->branch(session, g.run.answer).value().page.items)
        EXPECT_EQ(each.siblings, siblings(each.message));
    EXPECT_EQ(j.question.parent, i.run.answer);
    EXPECT_EQ(i.question.parent, std::nullopt);
    EXPECT_EQ(i.question.depth, 0);
    EXPECT_EQ(h.question.depth, 4);
}

TYPED_TEST_P(MessagesContract, PutsEveryAnswerToAQuestionBesideTheOthers)
{
    const Session session = this->created(this->anas);
    const WholeRun first = this->asked(session, Newest{}, "aA");
    const WholeRun below = this->asked(session, Newest{}, "bB");
    const WholeRun second = this->asked(session, Again{first.question.id}, "-X");
    const WholeRun third = this->asked(session, Again{first.question.id}, "-Y");
    const WholeRun below_second = this->asked(session, Under{second.run.answer}, "cC");
    this->expect_branch(session, below.run.answer, "aAbB");
    this->expect_branch(session, third.run.answer, "aY");
    this->expect_branch(session, below_second.run.answer, "aXcC");
    EXPECT_EQ(this->found(*second.answer, this->anas).siblings,
              (std::vector{first.run.answer, second.run.answer, third.run.answer}));
    EXPECT_EQ(second.question, first.question);
    EXPECT_EQ(this->found(session).message_count, 8);
}

TYPED_TEST_P(MessagesContract, BranchesWhileAnswersAreBeingWritten)
{
    const Session session = this->created(this->anas);
    const WholeRun a = this->asked(session, Newest{}, "aA");
    const WholeRun b = this->begun(session, Newest{}, "b");
    const WholeRun c = this->begun(session, Under{a.run.answer}, "c");
    const WholeRun again = this->begun(session, Again{b.question.id});
    ASSERT_TRUE(this->finish(again, "1"));
    ASSERT_TRUE(this->finish(c, "2"));
    ASSERT_TRUE(this->finish(b, "3"));
    this->expect_branch(session, again.run.answer, "aAb1");
    this->expect_branch(session, c.run.answer, "aAc2");
    this->expect_branch(session, b.run.answer, "aAb3");
    EXPECT_EQ(this->found(session).newest_message, b.run.answer);
}

TYPED_TEST_P(MessagesContract, TakesALongWindingBranch)
{
    const Session session = this->created(this->anas);
    std::string wanted;
    std::string above;
    for (int i = 0; i < 40; ++i) {
        const std::string letters{static_cast<char>('a' + i % 26), static_cast<char>('A' + i % 26)};
        const Place place = above.empty() ? Place(Beginning{}) : Place(Under{above});
        // Every third question is asked twice, and it goes on below the second.
        if (i % 3 == 0) this->asked(session, place, "xX");
        above = this->asked(session, place, letters).run.answer;
        wanted += letters;
    }
    this->expect_branch(session, {}, wanted);
}

REGISTER_TYPED_TEST_SUITE_P(MessagesContract, GivesMessagesBackAsTheyWere,
                            ShowsAMessageToItsOwnerAlone, ListsABranchPageByPageInBothOrders,
                            FindsALeafOnlyInItsSession, KeepsBranchesOfBranchesApart,
                            PutsEveryAnswerToAQuestionBesideTheOthers,
                            BranchesWhileAnswersAreBeingWritten, TakesALongWindingBranch);

}  // namespace parley::store
