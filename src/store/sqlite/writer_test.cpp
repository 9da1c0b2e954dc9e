#include "store/sqlite/writer.hpp"

#include "base/block_on.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/opening.hpp"

#include <gtest/gtest.h>

#include <future>
#include <numeric>

namespace parley::store::sqlite {
namespace {

class WriterTest : public testing::Test {
protected:
    WriterTest()
    {
        options.file = directory / "parley.db";
        options.on_commit = [this](std::size_t jobs, auto) { commits.push_back(jobs); };
        options.on_checkpoint = [this](auto) { ++checkpoints; };
    }
    void start()
    {
        writer = std::make_unique<Writer>(open_for_writing(options).value(), options, signal);
    }
    Task<Result<>> insert(std::string purpose)
    {
        return writer->jobs().run<void>([purpose](sql::Connection& connection) -> Result<> {
            sql::Query query = connection.query(
                "INSERT INTO keys (purpose, bytes) VALUES (?1, zeroblob(1000)) ON CONFLICT DO "
                "NOTHING");
            if (query.bind(purpose).run() == 0) return Error{Errc::conflict, "taken"};
            return {};
        });
    }
    std::int64_t rows()
    {
        return Database(options.file, Database::Access::read).integer("SELECT count(*) FROM keys");
    }

    TestDirectory directory;
    Options options;
    std::vector<std::size_t> commits;
    int checkpoints = 0;
    EventSignal signal;  // Outlives the writer.
    std::unique_ptr<Writer> writer;
};

TEST_F(WriterTest, CommitsTogetherWhateverWaits)
{
    start();
    // The first holds the writer until all the others wait.
    std::promise<void> all_wait;
    std::vector<Task<Result<>>> tasks;
    tasks.push_back(writer->jobs().run<void>([&](sql::Connection&) -> Result<> {
        all_wait.get_future().wait();
        return {};
    }));
    for (int i = 0; i < 100; ++i) tasks.push_back(insert(std::to_string(i)));
    tasks.push_back([](Writer& busy, std::promise<void>& ready) -> Task<Result<>> {
        ready.set_value();
        co_return co_await busy.jobs().run<void>([](sql::Connection&) -> Result<> { return {}; });
    }(*writer, all_wait));
    for (const auto& result : block_on_all(std::move(tasks))) EXPECT_TRUE(result);
    writer.reset();
    EXPECT_EQ(std::accumulate(commits.begin(), commits.end(), std::size_t{0}), 102U);
    EXPECT_LE(commits.size(), 4U);
}

TEST_F(WriterTest, UndoesWhatARuleForbidsAndNothingElse)
{
    start();
    std::vector<Task<Result<>>> tasks;
    tasks.push_back(insert("one"));
    tasks.push_back(writer->jobs().run<void>([](sql::Connection& connection) -> Result<> {
        connection.query("INSERT INTO keys (purpose, bytes) VALUES ('half', x'00')").run();
        return Error{Errc::conflict, "no"};
    }));
    tasks.push_back(insert("two"));
    const auto results = block_on_all(std::move(tasks));
    EXPECT_TRUE(results[0]);
    EXPECT_EQ(results[1].error().code, Errc::conflict);
    EXPECT_TRUE(results[2]);
    EXPECT_EQ(rows(), 2);
}

TEST_F(WriterTest, RunsAllAgainWhereOneMustBeUndoneInTheMidstOfMany)
{
    start();
    // The first holds the writer until all the others wait, so that they are one transaction.
    std::promise<void> all_wait;
    std::vector<Task<Result<>>> tasks;
    tasks.push_back(writer->jobs().run<void>([&](sql::Connection&) -> Result<> {
        all_wait.get_future().wait();
        return {};
    }));
    tasks.push_back(insert("one"));
    tasks.push_back(insert("one"));  // A rule forbids it, and it has changed nothing.
    tasks.push_back(writer->jobs().run<void>([](sql::Connection& connection) -> Result<> {
        connection.query("INSERT INTO keys (purpose, bytes) VALUES ('half', x'00')").run();
        return Error{Errc::conflict, "no"};
    }));
    tasks.push_back(writer->jobs().run<void>([](sql::Connection& connection) -> Result<> {
        connection.query("UPDATE keys SET bytes = x'00' WHERE purpose = 'one'").run();
        throw std::runtime_error("a bug");
    }));
    tasks.push_back(insert("two"));
    tasks.push_back([](Writer& busy, std::promise<void>& ready) -> Task<Result<>> {
        ready.set_value();
        co_return co_await busy.jobs().run<void>([](sql::Connection&) -> Result<> { return {}; });
    }(*writer, all_wait));
    const auto results = block_on_all(std::move(tasks));
    EXPECT_TRUE(results[1]);
    EXPECT_EQ(results[2].error().message, "taken");
    EXPECT_EQ(results[3].error().message, "no");
    EXPECT_EQ(results[4].error().detail, "a bug");
    EXPECT_TRUE(results[5]);
    EXPECT_EQ(rows(), 2);
    EXPECT_EQ(Database(options.file, Database::Access::read)
                  .integer("SELECT length(bytes) FROM keys WHERE purpose = 'one'"),
              1000);
}

TEST_F(WriterTest, SurvivesAQueryThatCannotWork)
{
    start();
    std::vector<Task<Result<>>> tasks;
    tasks.push_back(insert("one"));
    tasks.push_back(writer->jobs().run<void>([](sql::Connection& connection) -> Result<> {
        connection.query("INSERT INTO keys (purpose, bytes) VALUES ('half', x'00')").run();
        connection.query("INSERT INTO keys (purpose, bytes) VALUES (NULL, NULL)").run();
        return {};
    }));
    tasks.push_back(writer->jobs().run<void>(
        [](sql::Connection&) -> Result<> { throw std::runtime_error("a bug"); }));
    tasks.push_back(insert("two"));
    const auto results = block_on_all(std::move(tasks));
    EXPECT_TRUE(results[0]);
    EXPECT_EQ(results[1].error().code, Errc::internal);
    EXPECT_EQ(results[2].error().detail, "a bug");
    EXPECT_TRUE(results[3]);
    EXPECT_EQ(rows(), 2);
}

TEST_F(WriterTest, TurnsAwayWhatItCannotHold)
{
    options.most_waiting = 3;
    start();
    std::promise<void> go_on;
    std::promise<void> busy;
    std::vector<Task<Result<>>> tasks;
    tasks.push_back(writer->jobs().run<void>([&](sql::Connection&) -> Result<> {
        busy.set_value();
        go_on.get_future().wait();
        return {};
    }));
    tasks.push_back([](std::promise<void>& begun) -> Task<Result<>> {
        begun.get_future().wait();  // The writer has taken the first: three more find room.
        co_return Result<>();
    }(busy));
    for (int i = 0; i < 5; ++i) tasks.push_back(insert(std::to_string(i)));
    tasks.push_back([](std::promise<void>& release) -> Task<Result<>> {
        release.set_value();
        co_return Result<>();
    }(go_on));
    int refused = 0;
    for (const auto& result : block_on_all(std::move(tasks)))
        if (!result) {
            EXPECT_EQ(result.error().code, Errc::overloaded);
            ++refused;
        }
    EXPECT_EQ(refused, 2);
    EXPECT_EQ(rows(), 3);
}

TEST_F(WriterTest, MovesTheLogIntoTheFileWhileItIsIdleAndAtItsEnd)
{
    start();
    for (int i = 0; i < 700; ++i) ASSERT_TRUE(block_on(insert(std::to_string(i))));
    writer.reset();
    EXPECT_GE(checkpoints, 2);
    EXPECT_EQ(std::filesystem::file_size(directory / "parley.db-wal"), 0U);
    EXPECT_EQ(rows(), 700);
}

}  // namespace
}  // namespace parley::store::sqlite
