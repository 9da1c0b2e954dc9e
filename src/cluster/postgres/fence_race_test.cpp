// A thousand take-overs of servers that are writing: after the fence no event of the old owner may
// appear.
#include "cluster/postgres/fence.hpp"
#include "journal/postgres/database_for_tests.hpp"
#include "journal/postgres/statements.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <random>
#include <thread>

namespace parley::cluster::postgres {
namespace {

using namespace std::chrono_literals;
using journal::postgres::TestDatabase;
using store::postgres::array_of;
using store::postgres::number_at;
using store::postgres::PreparedLink;

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    if (at == text.npos) throw std::logic_error("the statement has changed");
    return text.replace(at, from.size(), to);
}

class FenceRaceTest : public testing::Test {
protected:
    static constexpr std::size_t owners = 4;

    // Each of the owners is fenced while it writes. Returns how many wrote events afterwards.
    // `is_enough`: ends the cycles early.
    int late_owners(const std::string& append_sql, int cycles, bool is_enough = false)
    {
        // A moment between the look at the server's row and the events makes the race likely.
        const std::string slow = replaced(
            append_sql, "FROM ok,", "FROM (SELECT pg_sleep(0.001 * random()) FROM ok) AS ok,");
        std::barrier begin(owners + 1);
        std::barrier end(owners + 1);
        std::atomic<bool> is_over = false;
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < owners; ++i)
            threads.emplace_back([&, i] {
                PreparedLink link(database.options(), [] { return false; });
                link.link().execute("SET synchronous_commit = off");
                for (begin.arrive_and_wait(); !is_over; begin.arrive_and_wait()) {
                    write(link, slow, i);
                    end.arrive_and_wait();
                }
            });
        int late = 0;
        for (int cycle = 0; cycle < cycles && !(is_enough && late > 0); ++cycle) {
            for (std::size_t i = 0; i < owners; ++i) {
                replicas.at(i) = database.add_replica();
                runs.at(i) = "run_" + std::to_string(++names);
                database.add_run(runs.at(i), replicas.at(i));
            }
            begin.arrive_and_wait();
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
            std::array<std::string, owners> seen;
            for (std::size_t i = 0; i < owners; ++i) {
                EXPECT_TRUE(is_fenced_at_last(replicas.at(i)));
                seen.at(i) = last_of(runs.at(i));
            }
            end.arrive_and_wait();
            for (std::size_t i = 0; i < owners; ++i) late += last_of(runs.at(i)) != seen.at(i);
        }
        is_over = true;
        begin.arrive_and_wait();
        for (std::thread& thread : threads) thread.join();
        return late;
    }

    // A statement of it may take longer than its second on a busy machine.
    bool is_fenced_at_last(std::int64_t replica)
    {
        for (int tried = 0; tried < 30; ++tried)
            if (fence(database.link, replica, 0ms)) return true;
        return false;
    }

    std::string last_of(const std::string& run)
    {
        return database.link.text(
            "SELECT coalesce(max(number), 0) FROM run_events"
            " WHERE run = (SELECT position FROM runs WHERE id = '" +
            run + "')");
    }

    // Until it is fenced.
    void write(PreparedLink& link, const std::string& sql, std::size_t owner)
    {
        const store::postgres::Statement statement{"append", sql.c_str(),
                                                   journal::postgres::append_statement.types};
        const std::string me = store::postgres::to_network_order(replicas.at(owner));
        const std::array<std::string_view, 2> ids{runs.at(owner), runs.at(owner)};
        const std::array<std::string_view, 2> frames{"one", "two"};
        for (std::int64_t next = 1;; next += 2) {
            const std::array<std::int64_t, 2> numbers{next, next + 1};
            const auto answer =
                link.run(statement, {me, array_of(ids), array_of(numbers), array_of(frames)});
            if (number_at(answer, 0, 0) == 0) return;
            EXPECT_EQ(number_at(answer, 0, 1), 2);
        }
    }

    TestDatabase database;
    std::minstd_rand random{7};
    int names = 0;
    std::array<std::int64_t, owners> replicas{};
    std::array<std::string, owners> runs;
};

TEST_F(FenceRaceTest, NoEventComesAfterTheFence)
{
    EXPECT_EQ(late_owners(journal::postgres::append_sql, 1000 / owners), 0);
}

// The test above would see it.
TEST_F(FenceRaceTest, WithoutTheLockEventsWouldComeAfterTheFence)
{
    const std::string unlocked = replaced(journal::postgres::append_sql, " FOR KEY SHARE", "");
    EXPECT_GT(late_owners(unlocked, 1000 / owners, true), 0);
}

}  // namespace
}  // namespace parley::cluster::postgres
