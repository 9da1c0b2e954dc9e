// The contract tests of keys by which a request can be sent again without doing it twice.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class IdempotencyContract : public ChatContractTest {
protected:
    NewRun with(NewRun wanted, KeyClaim key)
    {
        wanted.key = std::move(key);
        return wanted;
    }
    Result<Sessions::Created> create(const Owner& owner, KeyClaim key)
    {
        return block_on(sessions().create_session(new_session(owner), std::move(key)));
    }
    bool is_replay(const Owner& owner, KeyClaim key)
    {
        return block_on(runs().is_replay(owner, std::move(key))).value();
    }
    std::size_t sessions_of(const Owner& owner)
    {
        return block_on(sessions().list_sessions(owner, {}, {}, 100)).value().items.size();
    }
    std::size_t sweep(TimePoint now, std::size_t most = 100)
    {
        return block_on(runs().sweep_runs({}, now, most)).value();
    }
};

TEST_F(IdempotencyContract, GivesTheFirstRunAgainAsItIsNow)
{
    const Session session = created(anas);
    const NewRun wanted = with(new_run(session), claim("k"));
    const auto first = begin(wanted).value();
    EXPECT_FALSE(first.replayed);
    const Session before = found(session);
    const auto second = begin(with(new_run(session), claim("k"))).value();
    EXPECT_TRUE(second.replayed);
    EXPECT_EQ(second.whole.run, first.whole.run);
    EXPECT_EQ(second.whole.question, first.whole.question);
    EXPECT_EQ(found(session), before);

    ASSERT_TRUE(finish(first.whole));
    const Session after = found(session);
    // Also in the very same words, and where the place is one that would be refused.
    for (const NewRun& same : {wanted, with(new_run(session, ReplyTo{"msg_none"}), claim("k"))}) {
        const auto third = begin(same).value();
        EXPECT_TRUE(third.replayed);
        EXPECT_EQ(third.whole.run, found(first.whole).run);
        EXPECT_EQ(third.whole.answer, found(first.whole).answer);
        EXPECT_TRUE(third.whole.answer);
    }
    EXPECT_EQ(found(session), after);
}

TEST_F(IdempotencyContract, GivesTheFirstSessionAgainAsItIsNow)
{
    const auto first = create(anas, claim("k")).value();
    EXPECT_FALSE(first.replayed);
    created(anas);
    const SessionChange change{.archived = true, .now = later()};
    ASSERT_TRUE(block_on(sessions().change_session(anas, first.session.id, change)));
    const auto second = create(anas, claim("k")).value();
    EXPECT_TRUE(second.replayed);
    EXPECT_EQ(second.session, found(first.session));
    EXPECT_TRUE(second.session.archived);
    EXPECT_EQ(sessions_of(anas), 2U);
}

TEST_F(IdempotencyContract, MakesOneSessionForARunThatIsSentTwice)
{
    const NewRun first = with(first_run(anas), claim("k"));
    const NewRun second = with(first_run(anas), claim("k"));
    ASSERT_TRUE(begin(first));
    const auto again = begin(second).value();
    EXPECT_TRUE(again.replayed);
    EXPECT_EQ(again.whole.run.session, first.new_session->id);
    EXPECT_EQ(sessions_of(anas), 1U);
}

TEST_F(IdempotencyContract, RefusesAKeyThatIsBoundToAnotherRequest)
{
    const Session session = created(anas);
    ASSERT_TRUE(begin(with(new_run(session), claim("k", 1))));
    const Session before = found(session);
    EXPECT_EQ(begin(with(new_run(session), claim("k", 2))).error().code,
              Errc::idempotency_mismatch);
    EXPECT_EQ(create(anas, claim("k", 2)).error().code, Errc::idempotency_mismatch);
    // A key that made a run makes no session, and the other way round.
    EXPECT_EQ(create(anas, claim("k", 1)).error().code, Errc::idempotency_mismatch);
    ASSERT_TRUE(create(anas, claim("s")));
    EXPECT_EQ(begin(with(new_run(session), claim("s"))).error().code, Errc::idempotency_mismatch);
    EXPECT_EQ(found(session), before);
}

TEST_F(IdempotencyContract, BindsNothingWhereItRefuses)
{
    const Session session = created(anas);
    EXPECT_FALSE(begin(with(new_run(session, ReplyTo{"msg_none"}), claim("k"))));
    EXPECT_FALSE(is_replay(anas, claim("k")));
    const auto begun = begin(with(new_run(session), claim("k", 2)));
    EXPECT_FALSE(begun.value().replayed);
}

TEST_F(IdempotencyContract, GivesEachOwnerKeysOfTheirOwn)
{
    for (const Owner& owner : {anas, anas_test, bens})
        EXPECT_FALSE(begin(with(first_run(owner), claim("k"))).value().replayed);
    for (const Owner& owner : {anas, anas_test, bens})
        EXPECT_EQ(begin(with(first_run(owner), claim("k"))).value().whole.run.owner, owner);
    for (const std::string& other : {"K"s, ""s, "k\0"s, "k "s})
        EXPECT_FALSE(create(anas, claim(other)).value().replayed);
}

TEST_F(IdempotencyContract, FreesAKeyOnceItHasExpired)
{
    const KeyClaim first = claim("k");
    ASSERT_TRUE(begin(with(first_run(anas), first)));
    clock.set(first.expires_at - 1ms);
    EXPECT_TRUE(is_replay(anas, claim("k")));
    clock.set(first.expires_at);
    EXPECT_FALSE(is_replay(anas, claim("k")));
    const auto second = create(anas, claim("k", 2)).value();
    EXPECT_FALSE(second.replayed);
    EXPECT_TRUE(create(anas, claim("k", 2)).value().replayed);
}

TEST_F(IdempotencyContract, KnowsAReplayBeforeItHappens)
{
    EXPECT_FALSE(is_replay(anas, claim("k")));
    ASSERT_TRUE(begin(with(first_run(anas), claim("k"))));
    ASSERT_TRUE(create(anas, claim("s")));
    EXPECT_TRUE(is_replay(anas, claim("k")));
    EXPECT_TRUE(is_replay(anas, claim("s")));
    EXPECT_FALSE(is_replay(anas, claim("k", 2)));
    EXPECT_FALSE(is_replay(anas_test, claim("k")));
    EXPECT_FALSE(is_replay(bens, claim("k")));
}

TEST_F(IdempotencyContract, DoesNothingTwiceThoughTheSessionIsGone)
{
    const NewRun wanted = with(first_run(anas), claim("k"));
    const auto created = create(anas, claim("s")).value();
    ASSERT_TRUE(begin(wanted));
    for (const std::string& id : {wanted.new_session->id, created.session.id})
        ASSERT_TRUE(block_on(sessions().remove_session(anas, id)));
    EXPECT_EQ(begin(with(first_run(anas), claim("k"))).error().code, Errc::not_found);
    EXPECT_EQ(create(anas, claim("s")).error().code, Errc::not_found);
    EXPECT_EQ(sessions_of(anas), 0U);
}

TEST_F(IdempotencyContract, BeginsOneRunThoughManyAskAtOnce)
{
    std::vector<Task<Result<BegunRun>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(runs().begin_run(with(first_run(anas), claim("k"))));
    std::set<std::string> ids;
    int first = 0;
    for (const auto& each : block_on_all(std::move(tasks))) {
        ids.insert(each.value().whole.run.id);
        if (!each->replayed) ++first;
    }
    EXPECT_EQ(ids.size(), 1U);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(sessions_of(anas), 1U);
}

TEST_F(IdempotencyContract, FreesAKeyWhoseRunFailedInAPassingWay)
{
    const NewRun wanted = with(first_run(anas), claim("k"));
    const auto first = begin(wanted).value();
    FinishedRun end = end_of(first.whole.run, "");
    end.status = RunStatus::failed;
    end.frees_key = true;
    ASSERT_TRUE(block_on(runs().finish_run(end)));
    EXPECT_TRUE(found(first.whole).run.frees_key);
    EXPECT_FALSE(is_replay(anas, claim("k")));
    EXPECT_FALSE(block_on(runs().find_replay(anas, claim("k"))).value());

    // The same request answers the same question again, and the key names the new run.
    const auto second = begin(with(first_run(anas), claim("k"))).value();
    EXPECT_FALSE(second.replayed);
    EXPECT_EQ(second.whole.run.session, first.whole.run.session);
    EXPECT_EQ(second.whole.question, first.whole.question);
    EXPECT_NE(second.whole.run.id, first.whole.run.id);
    EXPECT_EQ(sessions_of(anas), 1U);
    EXPECT_EQ(found(*wanted.new_session).message_count, 2);
    EXPECT_TRUE(is_replay(anas, claim("k")));
    EXPECT_EQ(begin(with(first_run(anas), claim("k"))).value().whole.run.id, second.whole.run.id);
    ASSERT_TRUE(finish(second.whole));
    EXPECT_EQ(begin(with(first_run(anas), claim("k"))).value().whole.run.id, second.whole.run.id);
    EXPECT_EQ(begin(with(first_run(anas), claim("k", 2))).error().code, Errc::idempotency_mismatch);
}

TEST_F(IdempotencyContract, TakesAnotherRequestForAFreedKey)
{
    for (const bool as_session : {false, true}) {
        const std::string key = as_session ? "session" : "run";
        const auto first = begin(with(first_run(anas), claim(key))).value();
        FinishedRun end = end_of(first.whole.run, "");
        end.status = RunStatus::failed;
        end.frees_key = true;
        ASSERT_TRUE(block_on(runs().finish_run(end)));
        if (as_session) {
            EXPECT_FALSE(create(anas, claim(key, 2)).value().replayed);
        } else {
            const auto other = begin(with(first_run(anas), claim(key, 2))).value();
            EXPECT_NE(other.whole.run.session, first.whole.run.session);
        }
        EXPECT_TRUE(is_replay(anas, claim(key, 2)));
        EXPECT_FALSE(is_replay(anas, claim(key)));
    }
}

TEST_F(IdempotencyContract, FindsTheRunThatWouldBeReplayed)
{
    EXPECT_FALSE(block_on(runs().find_replay(anas, claim("k"))).value());
    const auto first = begin(with(first_run(anas), claim("k"))).value();
    EXPECT_EQ(block_on(runs().find_replay(anas, claim("k"))).value()->run, first.whole.run);
    EXPECT_EQ(block_on(runs().find_replay(anas, claim("k", 2))).error().code,
              Errc::idempotency_mismatch);
    ASSERT_TRUE(block_on(sessions().remove_session(anas, first.whole.run.session)));
    EXPECT_EQ(block_on(runs().find_replay(anas, claim("k"))).error().code, Errc::not_found);
}

TEST_F(IdempotencyContract, ForgetsKeysThatHaveExpiredOnlySoManyAtOnce)
{
    for (const char* key : {"1", "2", "3"}) ASSERT_TRUE(create(anas, claim(key)));
    const TimePoint end = claim("").expires_at;
    clock.advance(1s);
    ASSERT_TRUE(create(anas, claim("later")));
    EXPECT_EQ(sweep(end - 1s), 0U);
    EXPECT_EQ(sweep(end, 2), 2U);
    EXPECT_EQ(sweep(end, 2), 1U);
    EXPECT_EQ(sweep(end, 2), 0U);
    EXPECT_TRUE(is_replay(anas, claim("later")));
}

TEST_F(IdempotencyContract, GoWithTheirUser)
{
    ASSERT_TRUE(create(anas, claim("k")));
    ASSERT_TRUE(create(bens, claim("k")));
    ASSERT_TRUE(block_on(accounts().remove_user(ana.id)));
    EXPECT_FALSE(is_replay(anas, claim("k")));
    EXPECT_EQ(create(anas, claim("k")).error().code, Errc::not_found);
    EXPECT_TRUE(is_replay(bens, claim("k")));
}

TEST_F(IdempotencyContract, OutliveARestart)
{
    if (!keeps()) return;
    const auto first = begin(with(first_run(anas), claim("k"))).value();
    reopen();
    const auto again = begin(with(first_run(anas), claim("k"))).value();
    EXPECT_TRUE(again.replayed);
    EXPECT_EQ(again.whole.run, first.whole.run);
}

}  // namespace
}  // namespace parley::store
