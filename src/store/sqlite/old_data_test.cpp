// Data that earlier versions have left: the schema of 0.1, and the frames that it kept of ended
// runs.
#include "base/block_on.hpp"
#include "store/sql/packed_texts.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace parley::store::sqlite {
namespace {

constexpr std::size_t schema_of_0_1 = 3;

// A user with a session, in which a question was answered; its events are kept as frames.
constexpr const char* data = R"sql(
    INSERT INTO users VALUES (7, 'usr_1', 'ana', 'ana', 'Ana', 'member', 0, 1, NULL, 'x');
    INSERT INTO sessions VALUES
        (3, 'ses_1', 'usr_1', 1, 0, 1, 2, 'msg_2', 1, 1, 1, 1, 't', 't', 0, NULL, '{}', NULL);
    INSERT INTO branches VALUES (1, 3, NULL, 0);
    INSERT INTO messages VALUES
        (1, 'msg_1', 3, NULL, 1, 0, 'user', 1, NULL, NULL, NULL, '{}', x'020000004869'),
        (2, 'msg_2', 3, 1, 1, 1, 'assistant', 1, 'end_turn', 'm', 'run_1', '{}', x'020000004869');
    INSERT INTO runs VALUES (5, 'run_1', 3, 1, 'msg_2', 'm', 'completed', 1, 1, 2, 1, 1, 0, 0, 4, 1,
                             '', '{}', '{}');
)sql";

class OldDataTest : public testing::Test {
protected:
    OldDataTest()
    {
        std::ofstream(file).close();
        std::filesystem::permissions(
            file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        Database database(file, Database::Access::write);
        for (const char* step : migrations().first(schema_of_0_1)) database.execute(step);
        database.execute("PRAGMA user_version = 3");
        database.execute(data);
        insert_chunk(database, 1, {"one", "two"});
        insert_chunk(database, 3, {"three", "four"});
    }

    static void insert_chunk(Database& database, std::int64_t first,
                             const std::vector<std::string>& frames)
    {
        const std::string packed = sql::pack(frames);
        sql::Query insert =
            database.query("INSERT INTO frames (run, first_number, bytes) VALUES (5, ?1, ?2)");
        insert.bind(first, sql::Blob{packed}).run();
    }

    TestDirectory directory;
    const std::filesystem::path file = directory / "parley.db";
    const Owner anas_test{"usr_1", true};
};

TEST_F(OldDataTest, IsStillThere)
{
    const auto store = std::move(open_sqlite_store({.file = file})).value();
    const auto whole = block_on(store->runs().find_run(anas_test, "run_1"));
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_FALSE(whole->run.frees_key);
    EXPECT_EQ(whole->answer->parts.at(0), "Hi");
    const auto listed = block_on(store->runs().list_runs(anas_test, {}, {}, 10)).value();
    ASSERT_EQ(listed.items.size(), 1U);
    EXPECT_EQ(listed.items.at(0).run.id, "run_1");
    EXPECT_TRUE(block_on(store->runs().list_runs({"usr_1"}, {}, {}, 10)).value().items.empty());
}

TEST_F(OldDataTest, GivesFramesAsTheyWereKept)
{
    const auto store = std::move(open_sqlite_store({.file = file})).value();
    using Frames = std::vector<std::string>;
    const auto frames = [&](std::int64_t after, std::size_t max_bytes) {
        return block_on(store->runs().old_frames("run_1", after, max_bytes)).value();
    };
    EXPECT_EQ(block_on(store->runs().events("run_1")).error().code, Errc::not_found);
    EXPECT_EQ(frames(0, 100), (Frames{"one", "two", "three", "four"}));
    EXPECT_EQ(frames(1, 100), (Frames{"two", "three", "four"}));
    EXPECT_EQ(frames(1, 8), (Frames{"two", "three"}));
    EXPECT_EQ(frames(2, 0), Frames{"three"});
    EXPECT_EQ(frames(4, 100), Frames());
    EXPECT_EQ(block_on(store->runs().sweep_runs(TimePoint::max(), TimePoint(), 10)).value(), 1U);
    EXPECT_EQ(block_on(store->runs().old_frames("run_1", 0, 9)).error().code, Errc::not_found);
}

// Schema 15 had one replaced secret, in columns of its own.
TEST_F(OldDataTest, AReplacedSecretIsStillValid)
{
    const auto open = [&] { return std::move(open_sqlite_store({.file = file})).value(); };
    const OldSecrets old{{.secret = "old", .until = TimePoint(std::chrono::hours(1'000'000))}};
    Webhook webhook{.id = "whk_1",
                    .owner = anas_test,
                    .url = "https://example.org/",
                    .metadata = "{}",
                    .secret = {.sealed = "new", .hint = "h"}};
    ASSERT_TRUE(block_on(open()->webhooks().create(webhook, 10, std::nullopt, {})));
    Database(file, Database::Access::write)
        .execute("UPDATE webhooks SET old_secret = x'6f6c64', old_until_ms = 3600000000000");
    const auto store = open();
    webhook = block_on(store->webhooks().find(anas_test, "whk_1")).value();
    EXPECT_EQ(webhook.secret.old, old);
    ASSERT_TRUE(block_on(store->webhooks().change({.webhook = webhook, .seen = webhook.revision})));
    EXPECT_EQ(block_on(store->webhooks().find(anas_test, "whk_1")).value().secret.old, old);
}

}  // namespace
}  // namespace parley::store::sqlite
