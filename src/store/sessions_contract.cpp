// The contract tests of chat sessions; how they are listed is in session_lists_contract.cpp.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class SessionsContract : public ChatContractTest {
protected:
    Result<Session> change(const Session& session, SessionChange change,
                           std::optional<std::int64_t> expected = {})
    {
        change.now = later();
        return block_on(sessions().change_session(session.owner, session.id, change, expected));
    }
};

TEST_F(SessionsContract, GivesSessionsBackAsTheyWere)
{
    Session sent = new_session(anas_test, "A Title");
    sent.title_key = "a title";
    sent.instructions = "Be brief.";
    sent.model = "scripted";
    sent.archived = true;
    sent.metadata = {{"", ""}, {"a\0b"s, "\"\u2028\U0001F600\0"s}, {"k", "v"}};
    const auto created = block_on(sessions().create_session(sent)).value();
    EXPECT_EQ(created.session, sent);
    EXPECT_FALSE(created.replayed);
    EXPECT_EQ(found(sent), sent);

    const Session plain = new_session(anas);
    EXPECT_EQ(block_on(sessions().create_session(plain)).value().session, plain);
    EXPECT_EQ(found(plain), plain);
    EXPECT_EQ(found(plain).instructions, std::nullopt);
}

TEST_F(SessionsContract, BeginsASessionWithoutMessagesWhateverItIsGiven)
{
    Session sent = new_session(anas);
    sent.message_count = 7;
    sent.newest_message = "msg_1";
    sent.last_message_at = sent.created_at;
    sent.active_runs = {"run_1"};
    sent.revision = 9;
    sent.created_at += std::chrono::microseconds(999);
    const Session made = block_on(sessions().create_session(sent)).value().session;
    EXPECT_EQ(made, found(sent));
    EXPECT_EQ(made.message_count, 0);
    EXPECT_EQ(made.newest_message, std::nullopt);
    EXPECT_EQ(made.last_message_at, std::nullopt);
    EXPECT_TRUE(made.active_runs.empty());
    EXPECT_EQ(made.revision, 1);
    EXPECT_EQ(made.created_at, made.updated_at);
}

TEST_F(SessionsContract, KeepsEveryByteOfATextAsItWas)
{
    for (const std::string& nasty : {""s, "a\0b"s, "\0"s, "'; DROP TABLE sessions; --"s,
                                     "\u2028\U0001F600"s, std::string(131'072, 'x')}) {
        Session sent = new_session(anas, nasty);
        sent.instructions = nasty;
        sent.model = nasty;
        sent.metadata = {{nasty, nasty}};
        ASSERT_TRUE(block_on(sessions().create_session(sent)));
        EXPECT_TRUE(found(sent) == sent) << nasty.substr(0, 30);
    }
}

TEST_F(SessionsContract, RefusesAnIdThatIsThereAndAUserWhoIsNot)
{
    const Session first = created(anas, "first");
    Session twin = new_session(bens, "twin");
    twin.id = first.id;
    EXPECT_EQ(block_on(sessions().create_session(twin)).error().code, Errc::conflict);
    EXPECT_EQ(found(first), first);
    const Session nobodys = new_session({"usr_none", false});
    EXPECT_EQ(block_on(sessions().create_session(nobodys)).error().code, Errc::not_found);
}

TEST_F(SessionsContract, ShowsASessionToItsOwnerAlone)
{
    const Session session = created(anas);
    for (const Owner& other : {bens, anas_test, Owner{"usr_none", false}}) {
        auto& sessions = this->sessions();
        EXPECT_EQ(block_on(sessions.find_session(other, session.id)).error().code, Errc::not_found);
        EXPECT_EQ(block_on(sessions.change_session(other, session.id, {})).error().code,
                  Errc::not_found);
        EXPECT_EQ(block_on(sessions.remove_session(other, session.id)).error().code,
                  Errc::not_found);
        EXPECT_TRUE(block_on(sessions.list_sessions(other, {}, {}, 10)).value().items.empty());
    }
    EXPECT_EQ(found(session), session);
}

TEST_F(SessionsContract, ChangesWhatIsGivenAndNothingElse)
{
    Session session = created(anas);
    const Session other = created(anas);
    const auto expect_after = [&](SessionChange wanted) {
        const Session changed = change(session, std::move(wanted)).value();
        ++session.revision;
        session.updated_at = clock.now();
        EXPECT_EQ(changed, session);
        EXPECT_EQ(found(session), session);
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
    EXPECT_EQ(found(other), other);
}

TEST_F(SessionsContract, ChangesOnlyTheRevisionThatIsExpected)
{
    const Session session = created(anas);
    const SessionChange archive{.archived = true};
    EXPECT_EQ(change(session, archive, 2).error().code, Errc::precondition_failed);
    EXPECT_EQ(found(session), session);
    EXPECT_EQ(change(session, archive, 1).value().revision, 2);
    EXPECT_EQ(change(session, archive, 1).error().code, Errc::precondition_failed);
    EXPECT_EQ(change(session, archive, 2).value().revision, 3);
    // Runs in it change it as well.
    const RunWithMessages asked = begun(session);
    EXPECT_EQ(change(session, archive, 3).error().code, Errc::precondition_failed);
    ASSERT_TRUE(change(session, archive, 4));
    ASSERT_TRUE(finish(asked));
    EXPECT_EQ(change(session, archive, 5).error().code, Errc::precondition_failed);
    EXPECT_TRUE(change(session, archive, 6));
}

TEST_F(SessionsContract, RemovesASessionWithAllThatIsInIt)
{
    const Session gone = created(anas);
    const Session stays = created(anas);
    const RunWithMessages ended = asked(gone);
    const RunWithMessages running = begun(gone);
    const RunWithMessages others = asked(stays);

    ASSERT_TRUE(block_on(sessions().remove_session(anas, gone.id)));
    EXPECT_FALSE(is_there(gone));
    EXPECT_EQ(block_on(sessions().remove_session(anas, gone.id)).error().code, Errc::not_found);
    for (const RunWithMessages& each : {ended, running}) {
        EXPECT_EQ(block_on(runs().find_run(anas, each.run.id)).error().code, Errc::not_found);
        EXPECT_EQ(block_on(messages().find_message(anas, each.question.id)).error().code,
                  Errc::not_found);
    }
    EXPECT_EQ(block_on(runs().events(ended.run.id)).error().code, Errc::not_found);
    EXPECT_TRUE(block_on(runs().unfinished_runs()).value().empty());
    EXPECT_EQ(finish(running).error().code, Errc::not_found);
    EXPECT_FALSE(is_there(gone));

    EXPECT_EQ(found(stays).message_count, 2);
    EXPECT_EQ(found(others).answer, others.answer);
    EXPECT_TRUE(block_on(runs().events(others.run.id)));
}

TEST_F(SessionsContract, GoWithTheirUser)
{
    const Session gone = created(anas);
    const Session test = created(anas_test);
    const Session stays = created(bens);
    const RunWithMessages asked = this->asked(gone);
    const RunWithMessages running = begun(gone);
    const RunWithMessages others = begun(stays);
    ASSERT_TRUE(block_on(accounts().remove_user(ana.id)));
    EXPECT_FALSE(is_there(gone));
    EXPECT_FALSE(is_there(test));
    EXPECT_FALSE(block_on(runs().find_run(anas, asked.run.id)));
    EXPECT_FALSE(block_on(messages().find_message(anas, asked.question.id)));
    EXPECT_EQ(finish(running).error().code, Errc::not_found);
    EXPECT_EQ(begin(first_run(anas)).error().code, Errc::not_found);
    EXPECT_TRUE(is_there(stays));
    EXPECT_TRUE(finish(others));
}

TEST_F(SessionsContract, KeepsWhatItSaidItKept)
{
    if (!keeps()) return;
    const Session session = created(anas, "kept");
    const RunWithMessages ended = asked(session);
    const RunWithMessages running = begun(session);
    const Session before = found(session);
    reopen();
    EXPECT_EQ(found(session), before);
    EXPECT_EQ(found(ended).answer, ended.answer);
    EXPECT_EQ(block_on(runs().unfinished_runs()).value().at(0).run, running.run);
    EXPECT_EQ(block_on(runs().events(ended.run.id)).value(), "first and last");
    EXPECT_TRUE(finish(running));
    EXPECT_EQ(found(session).message_count, 4);
}

TEST_F(SessionsContract, RemovesOnlyTheRevisionThatIsExpected)
{
    const Session session = created(anas);
    const std::int64_t seen = found(session).revision;
    asked(session);
    EXPECT_EQ(
        block_on(sessions().remove_session(anas, session.id, {.expected = seen})).error().code,
        Errc::precondition_failed);
    EXPECT_TRUE(is_there(session));
    EXPECT_EQ(
        block_on(sessions().remove_session(bens, session.id, {.expected = seen})).error().code,
        Errc::not_found);
    ASSERT_TRUE(block_on(
        sessions().remove_session(anas, session.id, {.expected = found(session).revision})));
    EXPECT_FALSE(is_there(session));
}

}  // namespace
}  // namespace parley::store
