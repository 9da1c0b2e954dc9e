// A budget, while other answers of its user begin and end: what they have used leaves the
// reservations and enters the usage in one step, and is counted once.
#include "store/postgres/replicas_for_tests.hpp"

#include <atomic>
#include <thread>

namespace parley::store {
namespace {

using BudgetRaceTest = ReplicaContractTest;

TEST_F(BudgetRaceTest, NeverAdmitsMoreThanTheBudget)
{
    constexpr int threads = 4;
    constexpr int rounds = 40;
    constexpr std::int64_t tokens = 10;
    constexpr std::int64_t budget = tokens * threads * rounds / 2;
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.output_tokens_per_day = budget})));
    const auto second =
        std::move(open_postgres_store(
                      {.url = url, .connections = threads, .patience = std::chrono::minutes(1)}))
            .value();
    std::vector<std::vector<NewRun>> wanted(threads);
    for (std::vector<NewRun>& each : wanted)
        for (int i = 0; i < rounds; ++i) {
            each.push_back(first_run(anas));
            each.back().run.status = RunStatus::running;
            each.back().reserved_tokens = tokens;
            each.back().replica = me;
        }
    std::atomic<std::int64_t> admitted = 0;
    const auto work = [&](const std::vector<NewRun>& own) {
        for (const NewRun& each : own) {
            const auto begun = block_on(second->runs().begin_run(each));
            if (!begun) continue;
            ++admitted;
            FinishedRun end{.run = begun->whole.run.id,
                            .replica = me,
                            .started_at = begun->whole.run.created_at,
                            .completed_at = begun->whole.run.created_at};
            end.answer.parts = {"Because."};
            end.usage = {1, tokens, 0};
            EXPECT_TRUE(block_on(second->runs().finish_run(end)));
        }
    };
    std::vector<std::thread> all;
    for (const std::vector<NewRun>& own : wanted) all.emplace_back([&] { work(own); });
    for (std::thread& thread : all) thread.join();
    EXPECT_EQ(admitted * tokens, budget) << "as many as fit, and no other";
}

}  // namespace
}  // namespace parley::store
