// The contract tests of usage (by user, model and day, exact for runs, in pages) and of budgets.
#include "store/chat_contract_fixture.hpp"

#include <algorithm>

namespace parley::store {
namespace {

class UsageContract : public ChatContractTest {
protected:
    const Day today = day_of(clock.now());

    std::vector<DailyUsage> listed(UsageFilter filter = {})
    {
        if (filter.last == Day()) {
            filter.first = today - std::chrono::days(1000);
            filter.last = today + std::chrono::days(1000);
        }
        return block_on(store->usage().list(std::move(filter), {}, 1000)).value().items;
    }
    void add(std::vector<DailyUsage> used)
    {
        ASSERT_TRUE(block_on(store->usage().add(std::move(used))));
    }
    // A run that was answered with these tokens.
    Result<> answered(const Session& session, const std::optional<Usage>& usage,
                      std::optional<TimePoint> at = {})
    {
        const RunWithMessages whole = begun(session);
        FinishedRun end = end_of(whole.run);
        end.usage = usage;
        if (at) end.completed_at = *at;
        return block_on(runs().finish_run(end));
    }
};

using Entries = std::vector<DailyUsage>;

TEST_F(UsageContract, OfARunIsStoredWithItsEnd)
{
    const Session session = created(anas);
    ASSERT_TRUE(answered(session, Usage{100, 20, 60}));
    ASSERT_TRUE(answered(session, Usage{1, 2, 1}));
    ASSERT_TRUE(answered(session, std::nullopt));
    const Entries expected{{anas, "scripted", today, 3, {101, 22, 61}}};
    EXPECT_EQ(listed(), expected);
    if (keeps()) reopen();
    EXPECT_EQ(listed(), expected);
}

TEST_F(UsageContract, OfARunThatEndsTwiceCountsOnce)
{
    const Session session = created(anas);
    const RunWithMessages whole = begun(session);
    FinishedRun end = end_of(whole.run);
    end.usage = {10, 10, 0};
    ASSERT_TRUE(block_on(runs().finish_run(end)));
    EXPECT_EQ(block_on(runs().finish_run(end)).error().code, Errc::conflict);
    EXPECT_EQ(listed(), (Entries{{anas, "scripted", today, 1, {10, 10, 0}}}));
}

TEST_F(UsageContract, DoesNotCountARunThatNeverBegan)
{
    const RunWithMessages whole = begun(created(anas));
    FinishedRun end = end_of(whole.run);
    end.started_at.reset();
    end.status = RunStatus::cancelled;
    ASSERT_TRUE(block_on(runs().finish_run(end)));
    EXPECT_EQ(listed(), Entries());
}

TEST_F(UsageContract, CountsOnTheDayOfTheEnd)
{
    const Session session = created(anas);
    const TimePoint midnight = TimePoint(today) + 24h;
    ASSERT_TRUE(answered(session, Usage{1, 1, 0}, midnight - 1ms));
    ASSERT_TRUE(answered(session, Usage{2, 2, 0}, midnight));
    EXPECT_EQ(listed(), (Entries{{anas, "scripted", today + std::chrono::days(1), 1, {2, 2, 0}},
                                 {anas, "scripted", today, 1, {1, 1, 0}}}));
}

TEST_F(UsageContract, AddsToWhatIsStored)
{
    const DailyUsage small{anas, "small", today, 2, {10, 5, 1}};
    add({small, {bens, "small", today, 1, {7, 7, 0}}});
    add({{anas, "small", today, 1, {1, 1, 1}}, {anas, "large", today, 1, {9, 9, 9}}});
    EXPECT_EQ(
        listed({.user = ana.id, .first = today, .last = today}),
        (Entries{{anas, "large", today, 1, {9, 9, 9}}, {anas, "small", today, 3, {11, 6, 2}}}));
}

TEST_F(UsageContract, IsFilteredByModeUserModelAndDays)
{
    const auto day = [&](int days) { return today + std::chrono::days(days); };
    add({{anas, "small", day(-2), 1, {}},
         {anas, "small", day(-1), 1, {}},
         {anas, "small", day(0), 1, {}},
         {anas, "large", day(0), 1, {}},
         {bens, "small", day(0), 1, {}},
         {anas_test, "small", day(0), 1, {}}});
    EXPECT_EQ(listed().size(), 5U);
    EXPECT_EQ(listed({.test = true, .first = day(0), .last = day(0)}),
              (Entries{{anas_test, "small", day(0), 1, {}}}));
    EXPECT_EQ(listed({.first = day(-2), .last = day(-1)}),
              (Entries{{anas, "small", day(-1), 1, {}}, {anas, "small", day(-2), 1, {}}}));
    EXPECT_EQ(listed({.model = "large", .first = day(-9), .last = day(0)}),
              (Entries{{anas, "large", day(0), 1, {}}}));
    EXPECT_EQ(listed({.user = ben.id, .model = "large", .first = day(-9), .last = day(0)}),
              Entries());
    EXPECT_EQ(listed({.user = "usr_none", .first = day(-9), .last = day(0)}), Entries());
}

TEST_F(UsageContract, IsListedInPagesWithoutGapsAndRepeats)
{
    Entries all;
    for (int days = 0; days < 5; ++days)
        for (const char* model : {"a", "b", "c"})
            all.push_back({anas, model, today - std::chrono::days(days), 1, {}});
    add(all);
    for (const std::optional<std::string>& user : {std::optional<std::string>(), {ana.id}}) {
        const UsageFilter filter{
            .user = user, .first = today - std::chrono::days(3), .last = today};
        const Entries at_once = listed(filter);
        EXPECT_EQ(at_once.size(), 12U);
        Entries paged;
        std::optional<UsageLog::Position> after;
        do {
            const auto page = block_on(store->usage().list(filter, after, 5)).value();
            EXPECT_LE(page.items.size(), 5U);
            paged.insert(paged.end(), page.items.begin(), page.items.end());
            after = page.next;
        } while (after);
        EXPECT_EQ(paged, at_once);
    }
}

TEST_F(UsageContract, OutlivesTheSessionAndGoesWithTheUser)
{
    const Session session = created(anas);
    ASSERT_TRUE(answered(session, Usage{1, 1, 0}));
    ASSERT_TRUE(block_on(sessions().remove_session(anas, session.id)));
    EXPECT_EQ(listed().size(), 1U);
    ASSERT_TRUE(block_on(accounts().remove_user(ana.id)));
    EXPECT_EQ(listed(), Entries());
    add({{anas, "small", today, 1, {}}, {bens, "small", today, 1, {}}});
    EXPECT_EQ(listed(), (Entries{{bens, "small", today, 1, {}}}));
}

class BudgetContract : public UsageContract {
protected:
    BudgetContract() { set(ana, 1000); }

    void set(const User& user, std::optional<std::int64_t> tokens)
    {
        ASSERT_TRUE(block_on(accounts().change_user(user.id, {.output_tokens_per_day = tokens})));
    }
    Result<BegunRun> begin_with(const Owner& owner, std::int64_t most)
    {
        NewRun wanted = first_run(owner);
        wanted.reserved_tokens = most;
        return begin(std::move(wanted));
    }
    void end(const BegunRun& run, std::int64_t output)
    {
        FinishedRun end = end_of(run.whole.run);
        end.usage = {1, output, 0};
        ASSERT_TRUE(block_on(runs().finish_run(end)));
    }
    Result<> reserve(const std::string& id, std::int64_t tokens, const Owner* owner = nullptr)
    {
        return block_on(store->usage().reserve({.id = id,
                                                .owner = owner ? *owner : anas,
                                                .tokens = tokens,
                                                .now = clock.now(),
                                                .expires_at = clock.now() + 1h}));
    }
    static Errc code_of(const auto& refused) { return refused.error().code; }
};

TEST_F(BudgetContract, IsKeptWithTheUser)
{
    const auto budget = [&] {
        return block_on(accounts().find_user(ana.id)).value().output_tokens_per_day;
    };
    EXPECT_EQ(budget(), 1000);
    if (keeps()) reopen();
    EXPECT_EQ(budget(), 1000);
    set(ana, std::nullopt);
    EXPECT_EQ(budget(), std::nullopt);
}

TEST_F(BudgetContract, ARunReservesAndSettles)
{
    const auto first = begin_with(anas, 600);
    ASSERT_TRUE(first);
    EXPECT_EQ(code_of(begin_with(anas, 401)), Errc::budget_used_up);
    const auto second = begin_with(anas, 400);
    ASSERT_TRUE(second) << "exactly what is left";
    EXPECT_EQ(code_of(begin_with(anas, 1)), Errc::budget_used_up);
    end(*first, 100);
    end(*second, 400);
    EXPECT_EQ(code_of(begin_with(anas, 501)), Errc::budget_used_up);
    EXPECT_TRUE(begin_with(anas, 500));
}

TEST_F(BudgetContract, ARefusedRunLeavesNothingBehind)
{
    const auto refused = begin_with(anas, 1001);
    ASSERT_EQ(code_of(refused), Errc::budget_used_up);
    EXPECT_GT(refused.error().retry_after.value(), 0s);
    EXPECT_LE(refused.error().retry_after.value(), 24h);
    EXPECT_TRUE(block_on(sessions().list_sessions(anas, {}, {}, 10)).value().items.empty());
    EXPECT_TRUE(begin_with(anas, 1000));
}

TEST_F(BudgetContract, AnAnswerWithoutAMaximumBeginsIfAnythingIsLeft)
{
    const auto run = begin_with(anas, 0);
    ASSERT_TRUE(run);
    EXPECT_EQ(code_of(begin_with(anas, 0)), Errc::budget_used_up) << "all that was left";
    end(*run, 999);
    const auto next = begin_with(anas, 0);
    ASSERT_TRUE(next) << "one is left";
    end(*next, 5000);
    EXPECT_EQ(code_of(begin_with(anas, 0)), Errc::budget_used_up);
    EXPECT_EQ(code_of(begin_with(anas, 1)), Errc::budget_used_up);
}

TEST_F(BudgetContract, BeginsAgainWithTheDay)
{
    const auto run = begin_with(anas, 1000);
    ASSERT_TRUE(run);
    end(*run, 1000);
    EXPECT_EQ(code_of(begin_with(anas, 1)), Errc::budget_used_up);
    clock.advance(24h);
    EXPECT_TRUE(begin_with(anas, 1000));
}

TEST_F(BudgetContract, AReplayNeedsNone)
{
    NewRun wanted = first_run(anas);
    wanted.reserved_tokens = 1000;
    wanted.key = claim("once");
    ASSERT_TRUE(begin(wanted));
    const auto again = begin(wanted);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->replayed);
}

TEST_F(BudgetContract, HoldsForItsUserAloneAndNotInTestMode)
{
    EXPECT_TRUE(begin_with(bens, 1'000'000));
    EXPECT_TRUE(begin_with(anas_test, 1'000'000));
    EXPECT_TRUE(reserve("test", 1'000'000, &anas_test));
    EXPECT_TRUE(begin_with(anas, 1000));
}

TEST_F(BudgetContract, AnswersThatAreNotStoredReserveAndSettle)
{
    ASSERT_TRUE(reserve("one", 600));
    EXPECT_EQ(code_of(reserve("two", 500)), Errc::budget_used_up);
    EXPECT_EQ(code_of(begin_with(anas, 500)), Errc::budget_used_up);
    ASSERT_TRUE(block_on(store->usage().add({{anas, "m", today, 1, {1, 100, 0}}}, {"one"})));
    EXPECT_EQ(code_of(reserve("three", 901)), Errc::budget_used_up);
    EXPECT_TRUE(reserve("three", 900));
}

TEST_F(BudgetContract, AReservationThatIsNeverSettledExpires)
{
    ASSERT_TRUE(reserve("lost", 1000));
    EXPECT_EQ(code_of(reserve("next", 1)), Errc::budget_used_up);
    clock.advance(1h);
    EXPECT_TRUE(reserve("next", 1000));
}

TEST_F(BudgetContract, ARunThatIsDeletedGivesItsReservationBack)
{
    const auto run = begin_with(anas, 1000);
    ASSERT_TRUE(run);
    ASSERT_TRUE(block_on(sessions().remove_session(anas, run->whole.run.session)));
    EXPECT_TRUE(begin_with(anas, 1000));
}

TEST_F(BudgetContract, TwoAtTheSameTimeDoNotUseTheSameTokens)
{
    std::vector<Task<Result<BegunRun>>> tasks;
    for (int i = 0; i < 20; ++i) {
        NewRun wanted = first_run(anas);
        wanted.reserved_tokens = 100;
        tasks.push_back(runs().begin_run(std::move(wanted)));
    }
    const auto begun_runs = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(begun_runs, [](const auto& run) { return run.has_value(); }),
              10);
}

}  // namespace
}  // namespace parley::store
