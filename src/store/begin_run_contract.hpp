// The contract tests of where runs begin, and where they may not.
#pragma once

#include "store/chat_contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class BeginRunContract : public ChatContractTest<Maker> {
protected:
    // It is refused, and nothing is changed by that.
    Error refusal(const Session& session, NewRun wanted)
    {
        const Session before = this->found(session);
        const std::size_t runs = run(this->runs().unfinished_runs()).value().size();
        const auto begun = this->begin(std::move(wanted));
        EXPECT_FALSE(begun);
        EXPECT_EQ(this->found(session), before);
        EXPECT_EQ(run(this->runs().unfinished_runs()).value().size(), runs);
        return begun ? Error{} : begun.error();
    }
    Errc refused(const Session& session, NewRun wanted)
    {
        return refusal(session, std::move(wanted)).code;
    }
};

TYPED_TEST_SUITE_P(BeginRunContract);

TYPED_TEST_P(BeginRunContract, MakesTheSessionThatItIsAskedFor)
{
    NewRun wanted = this->first_run(this->anas);
    wanted.new_session->instructions = "Be brief.";
    wanted.title = "Why?";
    wanted.title_key = "why?";
    const WholeRun begun = this->begin(wanted).value().whole;
    const Session made = this->found(*wanted.new_session);
    EXPECT_EQ(begun.run.session, made.id);
    EXPECT_EQ(begun.question.session, made.id);
    EXPECT_EQ(made.title, "Why?");
    EXPECT_EQ(made.title_key, "why?");
    EXPECT_FALSE(made.title_was_set);
    EXPECT_EQ(made.instructions, "Be brief.");
    EXPECT_EQ(made.message_count, 1);

    NewRun twin = this->first_run(this->bens);
    twin.new_session->id = made.id;
    EXPECT_EQ(this->refused(made, twin), Errc::conflict);
    EXPECT_EQ(this->refused(made, this->first_run({"usr_none", false})), Errc::not_found);

    // A refusal leaves no session behind.
    NewRun elsewhere = this->first_run(this->anas);
    elsewhere.place = Under{begun.question.id};
    EXPECT_EQ(this->refused(made, elsewhere), Errc::not_found);
    EXPECT_FALSE(this->is_there(*elsewhere.new_session));
}

TYPED_TEST_P(BeginRunContract, NamesASessionAfterItsFirstQuestionUnlessSomebodyDid)
{
    const auto ask = [&](const Session& session, const std::string& title) {
        NewRun wanted = this->new_run(session, Beginning{});
        wanted.title = title;
        wanted.title_key = title + " key";
        ASSERT_TRUE(this->begin(wanted));
    };
    const Session unnamed = this->created(this->anas);
    ask(unnamed, "first");
    ask(unnamed, "second");
    EXPECT_EQ(this->found(unnamed).title, "first");
    EXPECT_EQ(this->found(unnamed).title_key, "first key");
    const Session named = this->created(this->anas, "named");
    ask(named, "first");
    EXPECT_EQ(this->found(named).title, "named");
    EXPECT_EQ(this->found(named).title_key, "named");

    NewRun with_title = this->first_run(this->anas, "given");
    with_title.title = "made";
    ASSERT_TRUE(this->begin(with_title));
    EXPECT_EQ(this->found(*with_title.new_session).title, "given");
}

TYPED_TEST_P(BeginRunContract, IsBusyWhileTheNewestMessageIsBeingAnswered)
{
    const Session session = this->created(this->anas);
    const WholeRun first = this->begun(session);
    const Error busy = this->refusal(session, this->new_run(session));
    EXPECT_EQ(busy.code, Errc::session_busy);
    EXPECT_EQ(busy.extra.at("active_run_ids"), (boost::json::array{first.run.id.c_str()}));

    // Unless it is said where to branch.
    const WholeRun second = this->begun(session, Beginning{});
    const Error busier = this->refusal(session, this->new_run(session));
    EXPECT_EQ(busier.extra.at("active_run_ids"),
              (boost::json::array{first.run.id.c_str(), second.run.id.c_str()}));
    ASSERT_TRUE(this->finish(second));
    // The newest message is an answer now, though another one is still being written.
    EXPECT_EQ(this->begun(session).question.parent, second.run.answer);
    ASSERT_TRUE(this->finish(first));
    const WholeRun third = this->begun(session, Under{first.run.answer});
    EXPECT_EQ(third.question.parent, first.run.answer);
}

TYPED_TEST_P(BeginRunContract, BeginsWhereItMayAlone)
{
    const Session session = this->created(this->anas);
    const Session another = this->created(this->anas);
    const Session bens = this->created(this->bens);
    const WholeRun whole = this->asked(session);
    const WholeRun foreign = this->asked(another);
    const WholeRun theirs = this->asked(bens);

    for (const Place& place : {Place(Under{whole.question.id}), Place(Again{whole.run.answer})}) {
        const Error error = this->refusal(session, this->new_run(session, place));
        EXPECT_EQ(error.code, Errc::validation_failed);
        EXPECT_EQ(error.faults.at(0).where, "#/parent_message_id");
    }
    for (const Place& place : {Place(Under{foreign.run.answer}), Place(Under{theirs.run.answer}),
                               Place(Under{"msg_none"}), Place(Again{foreign.question.id}),
                               Place(Again{theirs.question.id}), Place(Again{"msg_none"})})
        EXPECT_EQ(this->refused(session, this->new_run(session, place)), Errc::not_found);
    // Not even where it names no session.
    NewRun stranger = this->new_run(session, Again{theirs.question.id});
    stranger.run.session.clear();
    EXPECT_EQ(this->refused(bens, stranger), Errc::not_found);
    NewRun nowhere = this->new_run(session);
    nowhere.run.session.clear();
    EXPECT_EQ(this->refused(session, nowhere), Errc::not_found);
    for (const Owner& other : {this->bens, this->anas_test}) {
        NewRun wanted = this->new_run(session);
        wanted.run.owner = other;
        EXPECT_EQ(this->refused(session, wanted), Errc::not_found);
    }
}

TYPED_TEST_P(BeginRunContract, FindsTheSessionByTheMessageThatIsNamed)
{
    const Session session = this->created(this->anas);
    const WholeRun whole = this->asked(session);
    NewRun under = this->new_run(session, Under{whole.run.answer});
    under.run.session.clear();
    EXPECT_EQ(this->begin(under).value().whole.run.session, session.id);
    NewRun again = this->new_run(session, Again{whole.question.id});
    again.run.session.clear();
    const auto begun = this->begin(again).value();
    EXPECT_EQ(begun.whole.run.session, session.id);
    EXPECT_EQ(begun.whole.question, whole.question);
    EXPECT_EQ(begun.whole.run.question, whole.question.id);
}

TYPED_TEST_P(BeginRunContract, RefusesIdsThatAreThere)
{
    const Session session = this->created(this->anas);
    const WholeRun whole = this->asked(session);
    NewRun same_run = this->new_run(session);
    same_run.run.id = whole.run.id;
    EXPECT_EQ(this->refused(session, same_run), Errc::internal);
    NewRun same_question = this->new_run(session);
    same_question.question->id = whole.question.id;
    EXPECT_EQ(this->refused(session, same_question), Errc::internal);
}

REGISTER_TYPED_TEST_SUITE_P(BeginRunContract, MakesTheSessionThatItIsAskedFor,
                            NamesASessionAfterItsFirstQuestionUnlessSomebodyDid,
                            IsBusyWhileTheNewestMessageIsBeingAnswered, BeginsWhereItMayAlone,
                            FindsTheSessionByTheMessageThatIsNamed, RefusesIdsThatAreThere);

}  // namespace parley::store
