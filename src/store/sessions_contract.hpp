// The contract tests of chat sessions; how they are listed is in session_lists_contract.hpp.
#pragma once

#include "store/chat_contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class SessionsContract : public ChatContractTest<Maker> {
protected:
    Result<Session> change(const Session& session, SessionChange change,
                           std::optional<std::int64_t> expected = {})
    {
        change.now = this->later();
        return run(this->sessions().change_session(session.owner, session.id, change, expected));
    }
};

TYPED_TEST_SUITE_P(SessionsContract);

TYPED_TEST_P(SessionsContract, GivesSessionsBackAsTheyWere)
{
    Session sent = this->new_session(this->anas_test, "A Title");
    sent.title_key = "a title";
    sent.instructions = "Be brief.";
    sent.model = "scripted";
    sent.archived = true;
    sent.metadata = {{"", ""}, {"a\0b"s, "\"\u2028\U0001F600\0"s}, {"k", "v"}};
    const auto created = run(this->sessions().create_session(sent)).value();
    EXPECT_EQ(created.session, sent);
    EXPECT_FALSE(created.replayed);
    EXPECT_EQ(this->found(sent), sent);

    const Session plain = this->new_session(this->anas);
    EXPECT_EQ(run(this->sessions().create_session(plain)).value().session, plain);
    EXPECT_EQ(this->found(plain), plain);
    EXPECT_EQ(this->found(plain).instructions, std::nullopt);
}

TYPED_TEST_P(SessionsContract, BeginsASessionWithoutMessagesWhateverItIsGiven)
{
    Session sent = this->new_session(this->anas);
    sent.message_count = 7;
    sent.newest_message = "msg_1";
    sent.last_message_at = sent.created_at;
    sent.active_runs = {"run_1"};
    sent.revision = 9;
    sent.created_at += std::chrono::microseconds(999);
    const Session made = run(this->sessions().create_session(sent)).value().session;
    EXPECT_EQ(made, this->found(sent));
    EXPECT_EQ(made.message_count, 0);
    EXPECT_EQ(made.newest_message, std::nullopt);
    EXPECT_EQ(made.last_message_at, std::nullopt);
    EXPECT_TRUE(made.active_runs.empty());
    EXPECT_EQ(made.revision, 1);
    EXPECT_EQ(made.created_at, made.updated_at);
}

TYPED_TEST_P(SessionsContract, KeepsEveryByteOfATextAsItWas)
{
    for (const std::string& nasty : {""s, "a\0b"s, "\0"s, "'; DROP TABLE sessions; --"s,
                                     "\u2028\U0001F600"s, std::string(131'072, 'x')}) {
        Session sent = this->new_session(this->anas, nasty);
        sent.instructions = nasty;
        sent.model = nasty;
        sent.metadata = {{nasty, nasty}};
        ASSERT_TRUE(run(this->sessions().create_session(sent)));
        EXPECT_TRUE(this->found(sent) == sent) << nasty.substr(0, 30);
    }
}

TYPED_TEST_P(SessionsContract, RefusesAnIdThatIsThereAndAUserWhoIsNot)
{
    const Session first = this->created(this->anas, "first");
    Session twin = this->new_session(this->bens, "twin");
    twin.id = first.id;
    EXPECT_EQ(run(this->sessions().create_session(twin)).error().code, Errc::conflict);
    EXPECT_EQ(this->found(first), first);
    const Session nobodys = this->new_session({"usr_none", false});
    EXPECT_EQ(run(this->sessions().create_session(nobodys)).error().code, Errc::not_found);
}

TYPED_TEST_P(SessionsContract, ShowsASessionToItsOwnerAlone)
{
    const Session session = this->created(this->anas);
    for (const Owner& other : {this->bens, this->anas_test, Owner{"usr_none", false}}) {
        auto& sessions = this->sessions();
        EXPECT_EQ(run(sessions.find_session(other, session.id)).error().code, Errc::not_found);
        EXPECT_EQ(run(sessions.change_session(other, session.id, {})).error().code,
                  Errc::not_found);
        EXPECT_EQ(run(sessions.remove_session(other, session.id)).error().code, Errc::not_found);
        EXPECT_TRUE(run(sessions.list_sessions(other, {}, {}, 10)).value().items.empty());
    }
    EXPECT_EQ(this->found(session), session);
}

TYPED_TEST_P(SessionsContract, ChangesWhatIsGivenAndNothingElse)
{
    Session session = this->created(this->anas);
    const Session other = this->created(this->anas);
    const auto expect_after = [&](SessionChange wanted) {
        const Session changed = this->change(session, std::move(wanted)).value();
        ++session.revision;
        session.updated_at = this->clock.now();
        EXPECT_EQ(changed, session);
        EXPECT_EQ(this->found(session), session);
    };
    expect_after({});
    session.title = "Title";
    session.title_key = "title";
    session.title_was_set = true;
    expect_after({.title = "Title", .title_key = "title"});
    session.archived = true;
    expect_after({.archived = true});
    session.instructions = "Be brief.";
    expect_after({.instructions = "Be brief."});
    session.model = "large";
    expect_after({.model = "large"});
    session.metadata = {{"k", "v"}};
    expect_after({.metadata = session.metadata});
    session.instructions.reset();
    session.model.reset();
    expect_after(
        {.instructions = std::optional<std::string>(), .model = std::optional<std::string>()});
    session.archived = false;
    session.metadata.clear();
    expect_after({.archived = false, .metadata = Metadata()});
    EXPECT_EQ(this->found(other), other);
}

TYPED_TEST_P(SessionsContract, ChangesOnlyTheRevisionThatIsExpected)
{
    const Session session = this->created(this->anas);
    const SessionChange archive{.archived = true};
    EXPECT_EQ(this->change(session, archive, 2).error().code, Errc::precondition_failed);
    EXPECT_EQ(this->found(session), session);
    EXPECT_EQ(this->change(session, archive, 1).value().revision, 2);
    EXPECT_EQ(this->change(session, archive, 1).error().code, Errc::precondition_failed);
    EXPECT_EQ(this->change(session, archive, 2).value().revision, 3);
    // What happens in it changes it as well.
    const WholeRun asked = this->begun(session);
    EXPECT_EQ(this->change(session, archive, 3).error().code, Errc::precondition_failed);
    ASSERT_TRUE(this->change(session, archive, 4));
    ASSERT_TRUE(this->finish(asked));
    EXPECT_EQ(this->change(session, archive, 5).error().code, Errc::precondition_failed);
    EXPECT_TRUE(this->change(session, archive, 6));
}

TYPED_TEST_P(SessionsContract, RemovesASessionWithAllThatIsInIt)
{
    const Session gone = this->created(this->anas);
    const Session stays = this->created(this->anas);
    const WholeRun ended = this->asked(gone);
    const WholeRun running = this->begun(gone);
    const WholeRun others = this->asked(stays);

    ASSERT_TRUE(run(this->sessions().remove_session(this->anas, gone.id)));
    EXPECT_FALSE(this->is_there(gone));
    EXPECT_EQ(run(this->sessions().remove_session(this->anas, gone.id)).error().code,
              Errc::not_found);
    for (const WholeRun& each : {ended, running}) {
        EXPECT_EQ(run(this->runs().find_run(this->anas, each.run.id)).error().code,
                  Errc::not_found);
        EXPECT_EQ(run(this->messages().find_message(this->anas, each.question.id)).error().code,
                  Errc::not_found);
    }
    EXPECT_EQ(run(this->runs().frames(ended.run.id, 0, 100)).error().code, Errc::not_found);
    EXPECT_TRUE(run(this->runs().unfinished_runs()).value().empty());
    EXPECT_EQ(this->finish(running).error().code, Errc::not_found);
    EXPECT_FALSE(this->is_there(gone));

    EXPECT_EQ(this->found(stays).message_count, 2);
    EXPECT_EQ(this->found(others).answer, others.answer);
    EXPECT_TRUE(run(this->runs().frames(others.run.id, 0, 100)));
}

TYPED_TEST_P(SessionsContract, GoWithTheirUser)
{
    const Session gone = this->created(this->anas);
    const Session test = this->created(this->anas_test);
    const Session stays = this->created(this->bens);
    const WholeRun asked = this->asked(gone);
    const WholeRun running = this->begun(gone);
    const WholeRun others = this->begun(stays);
    ASSERT_TRUE(run(this->accounts().remove_user(this->ana.id)));
    EXPECT_FALSE(this->is_there(gone));
    EXPECT_FALSE(this->is_there(test));
    EXPECT_FALSE(run(this->runs().find_run(this->anas, asked.run.id)));
    EXPECT_FALSE(run(this->messages().find_message(this->anas, asked.question.id)));
    EXPECT_EQ(this->finish(running).error().code, Errc::not_found);
    EXPECT_EQ(this->begin(this->first_run(this->anas)).error().code, Errc::not_found);
    EXPECT_TRUE(this->is_there(stays));
    EXPECT_TRUE(this->finish(others));
}

TYPED_TEST_P(SessionsContract, KeepsWhatItSaidItKept)
{
    if (!TypeParam::keeps) return;
    const Session session = this->created(this->anas, "kept");
    const WholeRun ended = this->asked(session);
    const WholeRun running = this->begun(session);
    const Session before = this->found(session);
    this->reopen();
    EXPECT_EQ(this->found(session), before);
    EXPECT_EQ(this->found(ended).answer, ended.answer);
    EXPECT_EQ(run(this->runs().unfinished_runs()).value().at(0).run, running.run);
    EXPECT_EQ(run(this->runs().frames(ended.run.id, 0, 100)).value().size(), 2U);
    EXPECT_TRUE(this->finish(running));
    EXPECT_EQ(this->found(session).message_count, 4);
}

REGISTER_TYPED_TEST_SUITE_P(SessionsContract, GivesSessionsBackAsTheyWere,
                            BeginsASessionWithoutMessagesWhateverItIsGiven,
                            KeepsEveryByteOfATextAsItWas, RefusesAnIdThatIsThereAndAUserWhoIsNot,
                            ShowsASessionToItsOwnerAlone, ChangesWhatIsGivenAndNothingElse,
                            ChangesOnlyTheRevisionThatIsExpected, RemovesASessionWithAllThatIsInIt,
                            GoWithTheirUser, KeepsWhatItSaidItKept);

}  // namespace parley::store
