// The contract tests of where runs begin, and where they may not.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class BeginRunContract : public ChatContractTest {
protected:
    // It is refused, and nothing is changed by that.
    Error refusal(const Session& session, NewRun wanted)
    {
        const Session before = found(session);
        const std::size_t runs = block_on(this->runs().unfinished_runs()).value().size();
        const auto begun = begin(std::move(wanted));
        EXPECT_FALSE(begun);
        EXPECT_EQ(found(session), before);
        EXPECT_EQ(block_on(this->runs().unfinished_runs()).value().size(), runs);
        return begun ? Error{} : begun.error();
    }
    Errc refused(const Session& session, NewRun wanted)
    {
        return refusal(session, std::move(wanted)).code;
    }
};

TEST_F(BeginRunContract, MakesTheSessionThatItIsAskedFor)
{
    NewRun wanted = first_run(anas);
    wanted.new_session->instructions = "Be brief.";
    wanted.title = "Why?";
    wanted.title_key = "why?";
    const RunWithMessages begun = begin(wanted).value().whole;
    const Session made = found(*wanted.new_session);
    EXPECT_EQ(begun.run.session, made.id);
    EXPECT_EQ(begun.question.session, made.id);
    EXPECT_EQ(made.title, "Why?");
    EXPECT_EQ(made.title_key, "why?");
    EXPECT_FALSE(made.title_was_set);
    EXPECT_EQ(made.instructions, "Be brief.");
    EXPECT_EQ(made.message_count, 1);

    NewRun twin = first_run(bens);
    twin.new_session->id = made.id;
    EXPECT_EQ(refused(made, twin), Errc::conflict);
    EXPECT_EQ(refused(made, first_run({"usr_none", false})), Errc::not_found);

    // A refusal leaves no session behind.
    NewRun elsewhere = first_run(anas);
    elsewhere.placement = ReplyTo{begun.question.id};
    EXPECT_EQ(refused(made, elsewhere), Errc::not_found);
    EXPECT_FALSE(is_there(*elsewhere.new_session));
}

TEST_F(BeginRunContract, PutsWhatWasSaidBeforeAboveTheQuestion)
{
    NewRun wanted = first_run(anas);
    wanted.earlier = {{.id = "msg_1", .speaker = Speaker::user, .parts = {"Hi"}},
                      {.id = "msg_2", .speaker = Speaker::assistant, .parts = {"Hello"}}};
    const RunWithMessages begun = begin(wanted).value().whole;
    EXPECT_EQ(begun.question.parent, "msg_2");
    EXPECT_EQ(begun.question.depth, 2);
    const Session made = found(*wanted.new_session);
    EXPECT_EQ(made.message_count, 3);
    EXPECT_EQ(made.newest_message, begun.question.id);
    const auto branch =
        block_on(messages().list_branch(anas, made.id, std::nullopt, true, std::nullopt, 10))
            .value();
    ASSERT_EQ(branch.page.items.size(), 3U);
    EXPECT_EQ(branch.page.items[0].message.parts, std::vector<std::string>{"Hi"});
    EXPECT_EQ(branch.page.items[1].message.speaker, Speaker::assistant);
    EXPECT_EQ(branch.page.items[1].message.parent, "msg_1");
    EXPECT_FALSE(branch.page.items[1].message.run);

    // If one of them is there already, nothing is stored.
    NewRun again = first_run(anas);
    again.earlier = {{.id = "msg_3", .parts = {"Hi"}}, {.id = "msg_2", .parts = {"Hello"}}};
    EXPECT_EQ(refused(made, again), Errc::internal);
    EXPECT_FALSE(is_there(*again.new_session));
}

TEST_F(BeginRunContract, NamesASessionAfterItsFirstQuestionUnlessSomebodyDid)
{
    const auto ask = [&](const Session& session, const std::string& title) {
        NewRun wanted = new_run(session, NewRoot{});
        wanted.title = title;
        wanted.title_key = title + " key";
        ASSERT_TRUE(begin(wanted));
    };
    const Session unnamed = created(anas);
    ask(unnamed, "first");
    ask(unnamed, "second");
    EXPECT_EQ(found(unnamed).title, "first");
    EXPECT_EQ(found(unnamed).title_key, "first key");
    const Session named = created(anas, "named");
    ask(named, "first");
    EXPECT_EQ(found(named).title, "named");
    EXPECT_EQ(found(named).title_key, "named");

    NewRun with_title = first_run(anas, "given");
    with_title.title = "made";
    ASSERT_TRUE(begin(with_title));
    EXPECT_EQ(found(*with_title.new_session).title, "given");
}

TEST_F(BeginRunContract, IsBusyWhileTheNewestMessageIsBeingAnswered)
{
    const Session session = created(anas);
    const RunWithMessages first = begun(session);
    const Error busy = refusal(session, new_run(session));
    EXPECT_EQ(busy.code, Errc::session_busy);
    EXPECT_EQ(busy.extra.at("active_run_ids"), (boost::json::array{first.run.id.c_str()}));

    // Unless it is said where to branch.
    const RunWithMessages second = begun(session, NewRoot{});
    const Error busier = refusal(session, new_run(session));
    EXPECT_EQ(busier.extra.at("active_run_ids"),
              (boost::json::array{first.run.id.c_str(), second.run.id.c_str()}));
    ASSERT_TRUE(finish(second));
    // The newest message is an answer now, though another one is still being written.
    EXPECT_EQ(begun(session).question.parent, second.run.answer);
    ASSERT_TRUE(finish(first));
    const RunWithMessages third = begun(session, ReplyTo{first.run.answer});
    EXPECT_EQ(third.question.parent, first.run.answer);
}

TEST_F(BeginRunContract, IsBusyWhileTheNewestQuestionIsBeingAnsweredAgain)
{
    const Session session = created(anas);
    const RunWithMessages old = asked(session);
    const RunWithMessages newest = asked(session);
    const RunWithMessages elsewhere = begun(session, Regenerate{old.question.id});
    const RunWithMessages further = asked(session);  // An older question may be answered meanwhile.
    const RunWithMessages again = begun(session, Regenerate{further.question.id});
    const Error busy = refusal(session, new_run(session));
    EXPECT_EQ(busy.code, Errc::session_busy);
    EXPECT_TRUE(busy.retry_after);
    EXPECT_EQ(begun(session, ReplyTo{newest.run.answer}).question.parent, newest.run.answer);
    EXPECT_TRUE(begin(new_run(session, Regenerate{further.question.id})));
    ASSERT_TRUE(finish(again));
    ASSERT_TRUE(finish(elsewhere));
}

TEST_F(BeginRunContract, IsBusyUnderAMessageThatIsBeingWritten)
{
    const Session session = created(anas);
    const Session another = created(anas);
    const RunWithMessages writing = begun(session);
    for (const bool names_session : {true, false}) {
        NewRun under = new_run(session, ReplyTo{writing.run.answer});
        if (!names_session) under.run.session.clear();
        const Error busy = refusal(session, under);
        EXPECT_EQ(busy.code, Errc::session_busy);
        EXPECT_EQ(busy.extra.at("active_run_ids"), (boost::json::array{writing.run.id.c_str()}));
    }
    EXPECT_EQ(refused(session, new_run(session, Regenerate{writing.run.answer})),
              Errc::validation_failed);
    EXPECT_EQ(refused(another, new_run(another, ReplyTo{writing.run.answer})), Errc::not_found);
    NewRun stranger = new_run(session, ReplyTo{writing.run.answer});
    stranger.run.owner = bens;
    stranger.run.session.clear();
    EXPECT_EQ(refused(session, stranger), Errc::not_found);
    ASSERT_TRUE(finish(writing));
    EXPECT_TRUE(begin(new_run(session, ReplyTo{writing.run.answer})));
}

TEST_F(BeginRunContract, BeginsWhereItMayAlone)
{
    const Session session = created(anas);
    const Session another = created(anas);
    const Session bens = created(this->bens);
    const RunWithMessages whole = asked(session);
    const RunWithMessages foreign = asked(another);
    const RunWithMessages theirs = asked(bens);

    for (const Placement& placement :
         {Placement(ReplyTo{whole.question.id}), Placement(Regenerate{whole.run.answer})}) {
        const Error error = refusal(session, new_run(session, placement));
        EXPECT_EQ(error.code, Errc::validation_failed);
        EXPECT_EQ(error.faults.at(0).where, "#/parent_message_id");
    }
    for (const Placement& placement :
         {Placement(ReplyTo{foreign.run.answer}), Placement(ReplyTo{theirs.run.answer}),
          Placement(ReplyTo{"msg_none"}), Placement(Regenerate{foreign.question.id}),
          Placement(Regenerate{theirs.question.id}), Placement(Regenerate{"msg_none"})})
        EXPECT_EQ(refused(session, new_run(session, placement)), Errc::not_found);
    // Not even where it names no session.
    NewRun stranger = new_run(session, Regenerate{theirs.question.id});
    stranger.run.session.clear();
    EXPECT_EQ(refused(bens, stranger), Errc::not_found);
    NewRun nowhere = new_run(session);
    nowhere.run.session.clear();
    EXPECT_EQ(refused(session, nowhere), Errc::not_found);
    for (const Owner& other : {this->bens, anas_test}) {
        NewRun wanted = new_run(session);
        wanted.run.owner = other;
        EXPECT_EQ(refused(session, wanted), Errc::not_found);
    }
}

TEST_F(BeginRunContract, FindsTheSessionByTheMessageThatIsNamed)
{
    const Session session = created(anas);
    const RunWithMessages whole = asked(session);
    NewRun under = new_run(session, ReplyTo{whole.run.answer});
    under.run.session.clear();
    EXPECT_EQ(begin(under).value().whole.run.session, session.id);
    NewRun again = new_run(session, Regenerate{whole.question.id});
    again.run.session.clear();
    const auto begun = begin(again).value();
    EXPECT_EQ(begun.whole.run.session, session.id);
    EXPECT_EQ(begun.whole.question, whole.question);
    EXPECT_EQ(begun.whole.run.question, whole.question.id);
}

TEST_F(BeginRunContract, RefusesIdsThatAreThere)
{
    const Session session = created(anas);
    const RunWithMessages whole = asked(session);
    NewRun same_run = new_run(session);
    same_run.run.id = whole.run.id;
    EXPECT_EQ(refused(session, same_run), Errc::internal);
    NewRun same_question = new_run(session);
    same_question.question->id = whole.question.id;
    EXPECT_EQ(refused(session, same_question), Errc::internal);
}

TEST_F(BeginRunContract, RefusesIdsThatAreThereInANewSession)
{
    const Session session = created(anas);
    const RunWithMessages whole = asked(session);
    const auto refused_with = [&](auto change) {
        NewRun wanted = first_run(anas);
        change(wanted);
        const Errc code = refused(session, wanted);
        return is_there(*wanted.new_session) ? Errc::conflict : code;
    };
    EXPECT_EQ(refused_with([&](NewRun& wanted) { wanted.run.id = whole.run.id; }), Errc::internal);
    EXPECT_EQ(refused_with([&](NewRun& wanted) { wanted.run.answer = whole.run.answer; }),
              Errc::internal);
    EXPECT_EQ(refused_with([&](NewRun& wanted) { wanted.question->id = whole.question.id; }),
              Errc::internal);
}

TEST_F(BeginRunContract, TellsTheInstructionsOfTheSession)
{
    NewRun first = first_run(anas);
    first.new_session->instructions = "Be brief.";
    EXPECT_EQ(begin(first).value().instructions, "Be brief.");
    const Session session = found(*first.new_session);
    EXPECT_EQ(begin(new_run(session, NewRoot{})).value().instructions, "Be brief.");
    EXPECT_EQ(begin(first_run(anas)).value().instructions, std::nullopt);
}

}  // namespace
}  // namespace parley::store
