// Databases of earlier versions are taken over with all that is in them.
#include "base/block_on.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace parley::store::sqlite {
namespace {

// As version 0.1 left it: a user with a token and a session, and two keys of requests.
constexpr const char* rows_of_first_version = R"sql(
    INSERT INTO users VALUES (1, 'usr_1', 'Ana', 'ana', 'Ana', 'operator', 0, 1000, NULL, 'hash');
    INSERT INTO tokens (id, hash, kind, user, name, scopes, hint, created_by, created_ms)
        VALUES ('tok_1', zeroblob(32), 'p', 'usr_1', 'job', 6, 'plp_…', 'usr_1', 1000);
    INSERT INTO sessions (id, user, test, archived, activity, message_count, created_ms, updated_ms,
                          revision, title, title_key, title_was_set, metadata)
        VALUES ('ses_1', 'usr_1', 0, 0, 1, 0, 1000, 1000, 1, 'T', 't', 1, '{}');
    INSERT INTO idempotency_keys VALUES ('usr_1', 0, 's', zeroblob(32), NULL, 'ses_1', 9000);
    INSERT INTO idempotency_keys VALUES ('usr_1', 0, 'r', zeroblob(32), 'run_1', NULL, 9000);
    INSERT INTO audit (id, at_ms, actor, action, target, address, request_id)
        VALUES ('evt_1', 1000, 'usr_1', 'setup', 'usr_1', '192.0.2.7', 'req_1');
)sql";

class MigrationTest : public testing::Test {
protected:
    MigrationTest()
    {
        std::ofstream made(file);
        made.close();
        std::filesystem::permissions(
            file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        Database database(file, Database::Access::write);
        for (const char* step : migrations().first(3)) database.execute(step);
        database.execute("PRAGMA user_version = 3");
        database.execute(rows_of_first_version);
    }

    TestDirectory directory;
    const std::filesystem::path file = directory / "parley.db";
};

TEST_F(MigrationTest, KeepsAllThatTheFirstVersionHad)
{
    for (int opened = 0; opened < 2; ++opened) {
        const auto store = std::move(open_sqlite_store({.file = file})).value();
        const User user = block_on(store->accounts().find_user("usr_1")).value();
        EXPECT_EQ(user.password_hash, "hash");
        EXPECT_EQ(user.limits, OwnLimits());
        EXPECT_EQ(user.invitation, std::nullopt);
        const Token token = block_on(store->tokens().find_token({})).value().token;
        EXPECT_EQ(token.id, "tok_1");
        EXPECT_EQ(token.limits, OwnLimits());

        const TimePoint now(std::chrono::seconds(2));
        KeyClaim claim{.key = "s", .now = now, .expires_at = now};
        const Session session{.id = "ses_2", .owner = {"usr_1", false}};
        const auto again = block_on(store->sessions().create_session(session, claim)).value();
        EXPECT_TRUE(again.replayed);
        EXPECT_EQ(again.session.id, "ses_1");
        claim.key = "r";
        EXPECT_EQ(block_on(store->sessions().create_session(session, claim)).error().code,
                  Errc::idempotency_mismatch);
        EXPECT_TRUE(block_on(store->runs().is_replay({"usr_1", false}, claim)).value());
        EXPECT_EQ(block_on(store->audit().list({}, 10, {.action = "setup"})).value().items.size(),
                  1U);
    }
    EXPECT_EQ(Database(file, Database::Access::read).integer("PRAGMA user_version"),
              newest_version());
}

}  // namespace
}  // namespace parley::store::sqlite
