// The line of runs that several servers share: how many have a place, and whose turn it is.
#include "store/postgres/replicas_for_tests.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace parley::store {
namespace {

using Ids = std::vector<std::string>;

class TurnsTest : public ReplicaContractTest {
protected:
    // A run that would like to begin at once, in a session of its own.
    NewRun wanted_by(const Owner& owner, SharedLine line, const std::string& model = "scripted")
    {
        NewRun wanted = first_run(owner);
        wanted.run.model = model;
        wanted.run.status = RunStatus::running;
        wanted.run.started_at = wanted.run.created_at;
        wanted.replica = me;
        wanted.line = std::move(line);
        wanted.line->first_event = [](const RunWithMessages& waiting) {
            return "first of " + waiting.run.id + " at " +
                   std::to_string(waiting.queue_position.value_or(0));
        };
        return wanted;
    }
    RunWithMessages asked_by(const Owner& owner, SharedLine line = {.places = 1, .max_waiting = 99})
    {
        return begin(wanted_by(owner, std::move(line))).value().whole;
    }
    std::string id_of_asked(const Owner& owner) { return asked_by(owner).run.id; }
    // As many as are asked for; all of them wait.
    Ids waiting_of(const Owner& owner, int count)
    {
        Ids ids;
        for (int i = 0; i < count; ++i) ids.push_back(id_of_asked(owner));
        return ids;
    }

    TurnRequest request(std::int64_t places = 0)
    {
        return {.replica = me, .is_scripted = true, .clock = &clock, .places = places};
    }
    // Empty if no run may begin.
    std::string taken(const TurnRequest& wanted)
    {
        const auto run = block_on(runs().take_turn(wanted)).value();
        return run ? run->run.id : "";
    }
    std::string taken() { return taken(request()); }
    void end(const std::string& id)
    {
        FinishedRun end = end_of({.id = id, .model = "scripted", .created_at = clock.now()});
        end.replica = std::stoll(link.text("SELECT replica FROM runs WHERE id = '" + id + "'"));
        ASSERT_TRUE(block_on(runs().finish_run(end)));
    }
    std::optional<std::int64_t> position(const Owner& owner, const std::string& run)
    {
        return block_on(runs().find_run(owner, run)).value().queue_position;
    }
};

TEST_F(TurnsTest, ARunThatFindsNoPlaceWaitsWithoutAServer)
{
    const RunWithMessages first = asked_by(anas);
    EXPECT_EQ(first.run.status, RunStatus::running);
    EXPECT_EQ(first.queue_position, std::nullopt);
    const RunWithMessages second = asked_by(anas);
    EXPECT_EQ(second.run.status, RunStatus::queued);
    EXPECT_EQ(second.run.started_at, std::nullopt);
    EXPECT_EQ(second.queue_position, 1);
    EXPECT_EQ(text("SELECT count(*) FROM runs WHERE replica IS NULL"), "1");
    EXPECT_EQ(text("SELECT encode(frame, 'escape') FROM run_events JOIN runs ON position = run"
                   " WHERE number = 1 AND status = 'queued'"),
              "first of " + second.run.id + " at 1");

    EXPECT_EQ(taken(request(1)), "");
    end(first.run.id);
    TurnRequest of_other = request(1);
    of_other.replica = other;
    const auto run = block_on(runs().take_turn(of_other)).value();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->run.id, second.run.id);
    EXPECT_EQ(run->run.status, RunStatus::running);
    EXPECT_TRUE(run->run.started_at);
    EXPECT_EQ(position(anas, second.run.id), std::nullopt);
    EXPECT_EQ(text("SELECT replica FROM runs WHERE completed_ms IS NULL"), std::to_string(other));
    end(second.run.id);
    EXPECT_EQ(text("SELECT count(*) FROM run_events"), "0");
}

TEST_F(TurnsTest, ARunOfADeadServerKeepsItsPlace)
{
    const std::string running = id_of_asked(anas);
    const std::string waiting = id_of_asked(anas);
    fence(me);
    TurnRequest wanted = request(1);
    EXPECT_EQ(block_on(runs().take_turn(wanted)).error().code, Errc::lost_ownership);
    wanted.replica = other;
    EXPECT_EQ(taken(wanted), "");
    ASSERT_EQ(block_on(runs().claim_runs(other, 1)).value().size(), 1U);
    EXPECT_EQ(taken(wanted), "");
    end(running);
    EXPECT_EQ(taken(wanted), waiting);
}

// As a server of an earlier version leaves it behind.
TEST_F(TurnsTest, AQueuedRunWaitsWhenItsServerIsDead)
{
    const std::string run = begun(created(anas)).run.id;
    link.execute("UPDATE runs SET replica = " + std::to_string(other));
    EXPECT_EQ(taken(), "");
    EXPECT_EQ(position(anas, run), std::nullopt);
    fence(other);
    EXPECT_EQ(position(anas, run), 1);
    EXPECT_EQ(taken(), run);
}

TEST_F(TurnsTest, UsersTakeTurnsAndEachUsersRunsKeepTheirOrder)
{
    asked_by(anas);
    const Ids of_ana = waiting_of(anas, 3);
    const Ids of_ben = waiting_of(bens, 2);
    // Ana has a running one, so that the first turn is Ben's.
    const Ids expected{of_ben[0], of_ana[0], of_ben[1], of_ana[1], of_ana[2]};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(position(std::ranges::count(of_ana, expected[i]) > 0 ? anas : bens, expected[i]),
                  static_cast<std::int64_t>(i) + 1);
    Ids order;
    for (std::size_t i = 0; i < expected.size(); ++i) order.push_back(taken());
    EXPECT_EQ(order, expected);
    EXPECT_EQ(taken(), "");
}

// With one place, each turn ends before the next: no user has running ones.
TEST_F(TurnsTest, BetweenEqualsTheUserComesFirstWhoseTurnIsTheLongestAgo)
{
    const std::string running = id_of_asked(anas);
    const Ids of_ana = waiting_of(anas, 3);
    const Ids of_ben = waiting_of(bens, 3);
    end(running);
    for (std::size_t i = 0; i < 3; ++i) {
        for (const Ids& ids : {of_ana, of_ben}) {
            EXPECT_EQ(taken(request(1)), ids[i]);
            end(ids[i]);
        }
    }
}

TEST_F(TurnsTest, ListsShowThePositions)
{
    asked_by(anas);
    const Ids ids = waiting_of(anas, 3);
    const auto page = block_on(runs().list_runs(anas, {}, {}, 10)).value();
    ASSERT_EQ(page.items.size(), 4U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(page.items[i].run.id, ids[2 - i]);
        EXPECT_EQ(page.items[i].queue_position, static_cast<std::int64_t>(3 - i));
    }
    EXPECT_EQ(page.items[3].queue_position, std::nullopt);
}

TEST_F(TurnsTest, AutomationsWaitBehindPeopleForAMinute)
{
    asked_by(anas);
    const std::string due = id_of_asked(anas);
    link.execute("UPDATE runs SET automation_run = 'aru_1' WHERE id = '" + due + "'");
    const std::string first = id_of_asked(anas);
    const std::string second = id_of_asked(bens);
    TurnRequest late = request();
    EXPECT_EQ(taken(late), second);
    EXPECT_EQ(taken(late), first);
    const std::string third = id_of_asked(anas);
    clock.advance(1min);
    EXPECT_EQ(taken(late), due);
    EXPECT_EQ(taken(late), third);
}

TEST_F(TurnsTest, APlaceIsKeptForAnotherUser)
{
    const SharedLine line{.places = 2, .max_waiting = 9, .keeps_one = true};
    EXPECT_EQ(asked_by(anas, line).run.status, RunStatus::running);
    const std::string of_ana = asked_by(anas, line).run.id;
    TurnRequest wanted = request(2);
    wanted.keeps_one = true;
    EXPECT_EQ(taken(wanted), "");
    EXPECT_EQ(asked_by(bens, line).run.status, RunStatus::running);
    wanted.places = 0;
    wanted.without = {ana.id};
    EXPECT_EQ(taken(wanted), "");
    wanted.without = {ben.id};
    EXPECT_EQ(taken(wanted), of_ana);
}

TEST_F(TurnsTest, ANewRunOvertakesOnlyThoseThatMayNotHaveItsPlace)
{
    asked_by(anas);
    asked_by(anas);
    SharedLine line{.max_waiting = 9};
    EXPECT_EQ(asked_by(bens, line).run.status, RunStatus::queued);
    line.without = {ana.id, ben.id};
    EXPECT_EQ(asked_by(bens, line).run.status, RunStatus::running);
}

TEST_F(TurnsTest, TheScriptedModelHasALineOfItsOwn)
{
    const SharedLine line{.places = 1, .max_waiting = 9};
    EXPECT_EQ(begin(wanted_by(anas, line, "small"))->whole.run.status, RunStatus::running);
    EXPECT_EQ(begin(wanted_by(anas, line))->whole.run.status, RunStatus::running);
    const auto real = begin(wanted_by(anas, line, "small"))->whole;
    const auto test = begin(wanted_by(anas_test, line, "small"))->whole;
    EXPECT_EQ(real.queue_position, 1);
    EXPECT_EQ(test.queue_position, 1);
    EXPECT_EQ(taken(), test.run.id);
    EXPECT_EQ(taken(), "");
    TurnRequest of_real = request();
    of_real.is_scripted = false;
    EXPECT_EQ(taken(of_real), real.run.id);
}

TEST_F(TurnsTest, AFullLineRefusesAndHasRoomForOthers)
{
    const SharedLine line{.places = 1, .max_waiting = 4};
    asked_by(anas, line);
    asked_by(anas, line);
    asked_by(anas, line);
    const auto refused = begin(wanted_by(anas, line));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::overloaded);
    EXPECT_TRUE(refused.error().retry_after);
    EXPECT_EQ(text("SELECT count(*) FROM runs"), "3") << "nothing of it was stored";
    EXPECT_EQ(asked_by(bens, line).queue_position, 1);
    EXPECT_FALSE(begin(wanted_by(bens, line)));
}

TEST_F(TurnsTest, ACancelledRunIsNotTaken)
{
    asked_by(anas);
    const Ids ids = waiting_of(anas, 2);
    ASSERT_TRUE(block_on(runs().ask_to_cancel(ids[0])));
    EXPECT_EQ(position(anas, ids[1]), 1);
    EXPECT_EQ(taken(), ids[1]);
    EXPECT_EQ(taken(), "");
}

// Runs begin, are taken and end on two servers by many threads, while another one counts.
TEST_F(TurnsTest, ThePlacesAreNeverExceeded)
{
    constexpr std::int64_t places = 3;
    constexpr int threads = 8;
    constexpr int rounds = 15;
    const postgres::Options options{
        .url = url, .connections = 8, .patience = std::chrono::minutes(1)};
    const auto first = std::move(open_postgres_store(options)).value();
    const auto second = std::move(open_postgres_store(options)).value();
    std::vector<std::vector<NewRun>> wanted(threads);
    for (std::vector<NewRun>& each : wanted)
        for (int i = 0; i < rounds; ++i)
            each.push_back(wanted_by(anas, {.places = places, .max_waiting = 1000}));
    const TurnRequest turn = request(places);
    std::atomic<int> ended = 0;
    std::atomic<bool> is_over = false;

    const auto work = [&](Store& on, const std::vector<NewRun>& own) {
        const auto finish = [&](const store::Run& run) {
            FinishedRun end{.run = run.id, .replica = me, .completed_at = run.created_at};
            end.answer.parts = {"Because."};
            if (block_on(on.runs().finish_run(end))) ++ended;
        };
        for (const NewRun& each : own) {
            const auto begun = block_on(on.runs().begin_run(each)).value().whole.run;
            if (begun.status == RunStatus::running) finish(begun);
            if (const auto run = block_on(on.runs().take_turn(turn)).value()) finish(run->run);
        }
        while (ended < threads * rounds)
            if (const auto run = block_on(on.runs().take_turn(turn)).value()) finish(run->run);
    };
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
        all.emplace_back(
            [&, i] { work(i % 2 == 0 ? *first : *second, wanted[static_cast<std::size_t>(i)]); });
    std::int64_t most = 0;
    std::thread counter([&] {
        while (!is_over)
            most = std::max<std::int64_t>(
                most, std::stoll(link.text("SELECT count(*) FROM runs WHERE status = 'running'")));
    });
    for (std::thread& thread : all) thread.join();
    is_over = true;
    counter.join();
    EXPECT_LE(most, places);
    EXPECT_EQ(text("SELECT count(*) FROM runs WHERE status = 'completed'"),
              std::to_string(threads * rounds));
}

}  // namespace
}  // namespace parley::store
