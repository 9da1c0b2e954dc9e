// The contract tests of runs: how they go on and end; where they begin is in
// begin_run_contract.cpp.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class RunsContract : public ChatContractTest {};

TEST_F(RunsContract, GivesRunsBackAsTheyWere)
{
    const Session session = created(anas_test);
    NewRun wanted = new_run(session);
    wanted.run.metadata = {{"k", "v"}};
    wanted.run.parameters = "a\0b"s;
    wanted.run.history_from = 2;
    wanted.run.created_at += std::chrono::microseconds(999);
    const auto begun = begin(wanted).value();
    store::Run run_now = wanted.run;
    run_now.created_at -= std::chrono::microseconds(999);
    run_now.question = wanted.question->id;
    EXPECT_EQ(begun.whole.run, run_now);
    EXPECT_EQ(begun.whole.answer, std::nullopt);
    EXPECT_FALSE(begun.replayed);
    EXPECT_EQ(found(begun.whole).run, run_now);
    EXPECT_EQ(found(begun.whole).question, begun.whole.question);
    EXPECT_EQ(found(begun.whole).answer, std::nullopt);

    ASSERT_TRUE(block_on(runs().start_run(run_now.id, later())));
    run_now.status = RunStatus::running;
    run_now.started_at = clock.now();
    EXPECT_EQ(found(begun.whole).run, run_now);
    ASSERT_TRUE(block_on(runs().start_run(run_now.id, later())));
    EXPECT_EQ(found(begun.whole).run, run_now);

    FinishedRun end = end_of(run_now);
    end.status = RunStatus::failed;
    end.started_at = run_now.started_at;
    end.usage = Usage{12, 3, 4};
    end.error = RunError{"upstream_error", "The \"model\" failed.\n", std::chrono::seconds(7)};
    end.history_from = 4;
    end.last_number = 17;
    end.answer.structured = true;
    ASSERT_TRUE(block_on(runs().finish_run(end)));
    run_now.status = RunStatus::failed;
    run_now.completed_at = end.completed_at;
    run_now.usage = end.usage;
    run_now.error = end.error;
    run_now.history_from = 4;
    run_now.last_number = 17;
    run_now.kept_since = end.kept_since;
    EXPECT_EQ(found(begun.whole).run, run_now);
    EXPECT_EQ(found(begun.whole).answer->parts, end.answer.parts);
    EXPECT_TRUE(found(begun.whole).answer->structured);
    EXPECT_FALSE(found(begun.whole).question.structured);
    ASSERT_TRUE(block_on(runs().start_run(run_now.id, later())));
    EXPECT_EQ(found(begun.whole).run, run_now);
    EXPECT_TRUE(block_on(runs().start_run("run_none", later())));
}

TEST_F(RunsContract, KeepsAnErrorWhateverItsTextIs)
{
    for (const std::string detail : {"", "\"}{\n", "\xC3\xA9", "not UTF-8: \xFF"}) {
        const RunWithMessages begun = this->begun(created(anas));
        FinishedRun end = end_of(begun.run);
        end.status = RunStatus::failed;
        end.error = RunError{"upstream_error", detail};
        ASSERT_TRUE(block_on(runs().finish_run(end)));
        const auto kept = found(begun).run.error;
        ASSERT_TRUE(kept);
        EXPECT_EQ(kept->code, "upstream_error");
        EXPECT_EQ(kept->detail.substr(0, 10), detail.substr(0, 10));
        EXPECT_FALSE(kept->retry_after);
    }
}

TEST_F(RunsContract, EndsARunThatNeverStarted)
{
    const RunWithMessages begun = this->begun(created(anas));
    FinishedRun end = end_of(begun.run);
    end.status = RunStatus::cancelled;
    end.started_at.reset();
    ASSERT_TRUE(block_on(runs().finish_run(end)));
    EXPECT_EQ(found(begun).run.started_at, std::nullopt);
    EXPECT_EQ(found(begun).run.usage, std::nullopt);
    EXPECT_EQ(found(begun).run.status, RunStatus::cancelled);
}

TEST_F(RunsContract, ShowsARunToItsOwnerAlone)
{
    const RunWithMessages begun = this->begun(created(anas));
    for (const Owner& other : {bens, anas_test})
        EXPECT_EQ(block_on(runs().find_run(other, begun.run.id)).error().code, Errc::not_found);
    EXPECT_EQ(block_on(runs().find_run(anas, "run_none")).error().code, Errc::not_found);
}

TEST_F(RunsContract, KeepsTheSessionUpToDate)
{
    Session session = created(anas, "set");
    const RunWithMessages first = begun(session);
    session.message_count = 1;
    session.newest_message = first.question.id;
    session.last_message_at = session.updated_at = first.run.created_at;
    session.active_runs = {first.run.id};
    session.revision = 2;
    EXPECT_EQ(found(session), session);

    const RunWithMessages again = begun(session, Regenerate{first.question.id});
    session.updated_at = again.run.created_at;
    session.active_runs.push_back(again.run.id);
    ++session.revision;
    EXPECT_EQ(found(session), session);

    ASSERT_TRUE(block_on(runs().start_run(first.run.id, later())));
    EXPECT_EQ(found(session), session);

    ASSERT_TRUE(finish(first));
    session.message_count = 2;
    session.newest_message = first.run.answer;
    session.last_message_at = session.updated_at = clock.now();
    session.active_runs = {again.run.id};
    ++session.revision;
    EXPECT_EQ(found(session), session);
    EXPECT_EQ(block_on(sessions().list_sessions(anas, {}, {}, 1)).value().items.at(0), session);

    ASSERT_TRUE(finish(again));
    EXPECT_TRUE(found(session).active_runs.empty());
    EXPECT_EQ(found(session).message_count, 3);
}

TEST_F(RunsContract, EndsOnce)
{
    const Session session = created(anas);
    const RunWithMessages whole = begun(session);
    auto tasks = std::vector<Task<Result<>>>();
    for (int i = 0; i < 8; ++i)
        tasks.push_back(runs().finish_run(end_of(whole.run, std::to_string(i))));
    const auto results = block_on_all(std::move(tasks));
    for (const auto& each : results) EXPECT_TRUE(each || each.error().code == Errc::conflict);
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }), 1);
    EXPECT_EQ(found(session).message_count, 2);
    EXPECT_EQ(finish(whole).error().code, Errc::conflict);
    FinishedRun unknown = end_of(whole.run);
    unknown.run = "run_none";
    EXPECT_EQ(block_on(runs().finish_run(unknown)).error().code, Errc::not_found);
}

TEST_F(RunsContract, TellsWhatIsUnfinishedInTheOrderOfItsBeginning)
{
    const Session second = created(anas);
    const Session first = created(bens);
    std::vector<RunWithMessages> begun;
    for (int i = 0; i < 3; ++i) {
        begun.push_back(this->begun(first, NewRoot{}));
        begun.push_back(this->begun(second, NewRoot{}));
    }
    ASSERT_TRUE(block_on(runs().start_run(begun.at(3).run.id, later())));
    ASSERT_TRUE(finish(begun.at(1)));
    const auto unfinished = block_on(runs().unfinished_runs()).value();
    ASSERT_EQ(unfinished.size(), 5U);
    for (const std::size_t i : {0U, 1U, 2U, 3U, 4U}) {
        const RunWithMessages& wanted = begun.at(i == 0 ? 0 : i + 1);
        EXPECT_EQ(unfinished.at(i).run, found(wanted).run);
        EXPECT_EQ(unfinished.at(i).question, wanted.question);
    }
    EXPECT_EQ(unfinished.at(2).run.status, RunStatus::running);
}

}  // namespace
}  // namespace parley::store
