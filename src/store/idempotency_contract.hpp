// The contract tests of keys by which a request can be sent again without doing it twice.
#pragma once

#include "store/chat_contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class IdempotencyContract : public ChatContractTest<Maker> {
protected:
    NewRun with(NewRun wanted, KeyClaim key)
    {
        wanted.key = std::move(key);
        return wanted;
    }
    Result<Sessions::Created> create(const Owner& owner, KeyClaim key)
    {
        return run(this->sessions().create_session(this->new_session(owner), std::move(key)));
    }
    bool is_replay(const Owner& owner, KeyClaim key)
    {
        return run(this->runs().is_replay(owner, std::move(key))).value();
    }
    std::size_t sessions_of(const Owner& owner)
    {
        return run(this->sessions().list_sessions(owner, {}, {}, 100)).value().items.size();
    }
    std::size_t sweep(TimePoint now, std::size_t most = 100)
    {
        return run(this->runs().sweep_runs({}, now, most)).value();
    }
};

TYPED_TEST_SUITE_P(IdempotencyContract);

TYPED_TEST_P(IdempotencyContract, GivesTheFirstRunAgainAsItIsNow)
{
    const Session session = this->created(this->anas);
    const NewRun wanted = this->with(this->new_run(session), this->claim("k"));
    const auto first = this->begin(wanted).value();
    EXPECT_FALSE(first.replayed);
    const Session before = this->found(session);
    const auto second = this->begin(this->with(this->new_run(session), this->claim("k"))).value();
    EXPECT_TRUE(second.replayed);
    EXPECT_EQ(second.whole.run, first.whole.run);
    EXPECT_EQ(second.whole.question, first.whole.question);
    EXPECT_EQ(this->found(session), before);

    ASSERT_TRUE(this->finish(first.whole));
    const Session after = this->found(session);
    // Also in the very same words, and where the place is one that would be refused.
    for (const NewRun& same :
         {wanted, this->with(this->new_run(session, Under{"msg_none"}), this->claim("k"))}) {
        const auto third = this->begin(same).value();
        EXPECT_TRUE(third.replayed);
        EXPECT_EQ(third.whole.run, this->found(first.whole).run);
        EXPECT_EQ(third.whole.answer, this->found(first.whole).answer);
        EXPECT_TRUE(third.whole.answer);
    }
    EXPECT_EQ(this->found(session), after);
}

TYPED_TEST_P(IdempotencyContract, GivesTheFirstSessionAgainAsItIsNow)
{
    const auto first = this->create(this->anas, this->claim("k")).value();
    EXPECT_FALSE(first.replayed);
    this->created(this->anas);
    const SessionChange change{.archived = true, .now = this->later()};
    ASSERT_TRUE(run(this->sessions().change_session(this->anas, first.session.id, change)));
    const auto second = this->create(this->anas, this->claim("k")).value();
    EXPECT_TRUE(second.replayed);
    EXPECT_EQ(second.session, this->found(first.session));
    EXPECT_TRUE(second.session.archived);
    EXPECT_EQ(this->sessions_of(this->anas), 2U);
}

TYPED_TEST_P(IdempotencyContract, MakesOneSessionForARunThatIsSentTwice)
{
    const NewRun first = this->with(this->first_run(this->anas), this->claim("k"));
    const NewRun second = this->with(this->first_run(this->anas), this->claim("k"));
    ASSERT_TRUE(this->begin(first));
    const auto again = this->begin(second).value();
    EXPECT_TRUE(again.replayed);
    EXPECT_EQ(again.whole.run.session, first.new_session->id);
    EXPECT_EQ(this->sessions_of(this->anas), 1U);
}

TYPED_TEST_P(IdempotencyContract, RefusesAKeyThatIsBoundToAnotherRequest)
{
    const Session session = this->created(this->anas);
    ASSERT_TRUE(this->begin(this->with(this->new_run(session), this->claim("k", 1))));
    const Session before = this->found(session);
    EXPECT_EQ(this->begin(this->with(this->new_run(session), this->claim("k", 2))).error().code,
              Errc::idempotency_mismatch);
    EXPECT_EQ(this->create(this->anas, this->claim("k", 2)).error().code,
              Errc::idempotency_mismatch);
    // What made a run makes no session, and the other way round.
    EXPECT_EQ(this->create(this->anas, this->claim("k", 1)).error().code,
              Errc::idempotency_mismatch);
    ASSERT_TRUE(this->create(this->anas, this->claim("s")));
    EXPECT_EQ(this->begin(this->with(this->new_run(session), this->claim("s"))).error().code,
              Errc::idempotency_mismatch);
    EXPECT_EQ(this->found(session), before);
}

TYPED_TEST_P(IdempotencyContract, BindsNothingWhereItRefuses)
{
    const Session session = this->created(this->anas);
    EXPECT_FALSE(
        this->begin(this->with(this->new_run(session, Under{"msg_none"}), this->claim("k"))));
    EXPECT_FALSE(this->is_replay(this->anas, this->claim("k")));
    const auto begun = this->begin(this->with(this->new_run(session), this->claim("k", 2)));
    EXPECT_FALSE(begun.value().replayed);
}

TYPED_TEST_P(IdempotencyContract, GivesEachOwnerKeysOfTheirOwn)
{
    for (const Owner& owner : {this->anas, this->anas_test, this->bens})
        EXPECT_FALSE(
            this->begin(this->with(this->first_run(owner), this->claim("k"))).value().replayed);
    for (const Owner& owner : {this->anas, this->anas_test, this->bens})
        EXPECT_EQ(this->begin(this->with(this->first_run(owner), this->claim("k")))
                      .value()
                      .whole.run.owner,
                  owner);
    for (const std::string& other : {"K"s, ""s, "k\0"s, "k "s})
        EXPECT_FALSE(this->create(this->anas, this->claim(other)).value().replayed);
}

TYPED_TEST_P(IdempotencyContract, FreesAKeyOnceItHasExpired)
{
    const KeyClaim first = this->claim("k");
    ASSERT_TRUE(this->begin(this->with(this->first_run(this->anas), first)));
    this->clock.set(first.expires_at - 1ms);
    EXPECT_TRUE(this->is_replay(this->anas, this->claim("k")));
    this->clock.set(first.expires_at);
    EXPECT_FALSE(this->is_replay(this->anas, this->claim("k")));
    const auto second = this->create(this->anas, this->claim("k", 2)).value();
    EXPECT_FALSE(second.replayed);
    EXPECT_TRUE(this->create(this->anas, this->claim("k", 2)).value().replayed);
}

TYPED_TEST_P(IdempotencyContract, KnowsAReplayBeforeItHappens)
{
    EXPECT_FALSE(this->is_replay(this->anas, this->claim("k")));
    ASSERT_TRUE(this->begin(this->with(this->first_run(this->anas), this->claim("k"))));
    ASSERT_TRUE(this->create(this->anas, this->claim("s")));
    EXPECT_TRUE(this->is_replay(this->anas, this->claim("k")));
    EXPECT_TRUE(this->is_replay(this->anas, this->claim("s")));
    EXPECT_FALSE(this->is_replay(this->anas, this->claim("k", 2)));
    EXPECT_FALSE(this->is_replay(this->anas_test, this->claim("k")));
    EXPECT_FALSE(this->is_replay(this->bens, this->claim("k")));
}

TYPED_TEST_P(IdempotencyContract, DoesNothingTwiceThoughTheSessionIsGone)
{
    const NewRun wanted = this->with(this->first_run(this->anas), this->claim("k"));
    const auto created = this->create(this->anas, this->claim("s")).value();
    ASSERT_TRUE(this->begin(wanted));
    for (const std::string& id : {wanted.new_session->id, created.session.id})
        ASSERT_TRUE(run(this->sessions().remove_session(this->anas, id)));
    EXPECT_EQ(this->begin(this->with(this->first_run(this->anas), this->claim("k"))).error().code,
              Errc::not_found);
    EXPECT_EQ(this->create(this->anas, this->claim("s")).error().code, Errc::not_found);
    EXPECT_EQ(this->sessions_of(this->anas), 0U);
}

TYPED_TEST_P(IdempotencyContract, BeginsOneRunThoughManyAskAtOnce)
{
    std::vector<Task<Result<BegunRun>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(
            this->runs().begin_run(this->with(this->first_run(this->anas), this->claim("k"))));
    std::set<std::string> ids;
    int first = 0;
    for (const auto& each : run_all(std::move(tasks))) {
        ids.insert(each.value().whole.run.id);
        if (!each->replayed) ++first;
    }
    EXPECT_EQ(ids.size(), 1U);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(this->sessions_of(this->anas), 1U);
}

TYPED_TEST_P(IdempotencyContract, ForgetsKeysThatHaveExpiredOnlySoManyAtOnce)
{
    for (const char* key : {"1", "2", "3"}) ASSERT_TRUE(this->create(this->anas, this->claim(key)));
    const TimePoint end = this->claim("").expires_at;
    this->clock.advance(1s);
    ASSERT_TRUE(this->create(this->anas, this->claim("later")));
    EXPECT_EQ(this->sweep(end - 1s), 0U);
    EXPECT_EQ(this->sweep(end, 2), 2U);
    EXPECT_EQ(this->sweep(end, 2), 1U);
    EXPECT_EQ(this->sweep(end, 2), 0U);
    EXPECT_TRUE(this->is_replay(this->anas, this->claim("later")));
}

TYPED_TEST_P(IdempotencyContract, GoWithTheirUser)
{
    ASSERT_TRUE(this->create(this->anas, this->claim("k")));
    ASSERT_TRUE(this->create(this->bens, this->claim("k")));
    ASSERT_TRUE(run(this->accounts().remove_user(this->ana.id)));
    EXPECT_FALSE(this->is_replay(this->anas, this->claim("k")));
    EXPECT_EQ(this->create(this->anas, this->claim("k")).error().code, Errc::not_found);
    EXPECT_TRUE(this->is_replay(this->bens, this->claim("k")));
}

TYPED_TEST_P(IdempotencyContract, OutliveARestart)
{
    if (!TypeParam::keeps) return;
    const auto first =
        this->begin(this->with(this->first_run(this->anas), this->claim("k"))).value();
    this->reopen();
    const auto again =
        this->begin(this->with(this->first_run(this->anas), this->claim("k"))).value();
    EXPECT_TRUE(again.replayed);
    EXPECT_EQ(again.whole.run, first.whole.run);
}

REGISTER_TYPED_TEST_SUITE_P(IdempotencyContract, GivesTheFirstRunAgainAsItIsNow,
                            GivesTheFirstSessionAgainAsItIsNow,
                            MakesOneSessionForARunThatIsSentTwice,
                            RefusesAKeyThatIsBoundToAnotherRequest, BindsNothingWhereItRefuses,
                            GivesEachOwnerKeysOfTheirOwn, FreesAKeyOnceItHasExpired,
                            KnowsAReplayBeforeItHappens, DoesNothingTwiceThoughTheSessionIsGone,
                            BeginsOneRunThoughManyAskAtOnce,
                            ForgetsKeysThatHaveExpiredOnlySoManyAtOnce, GoWithTheirUser,
                            OutliveARestart);

}  // namespace parley::store
