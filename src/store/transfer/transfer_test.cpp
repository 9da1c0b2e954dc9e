#include "store/transfer/transfer.hpp"

#include "store/postgres/patience_for_tests.hpp"
#include "store/postgres/server_for_tests.hpp"
#include "store/sqlite/opening.hpp"
#include "store/transfer/tables.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace parley::store::transfer {
namespace {

using namespace std::string_literals;

// All rows of a table, as SQL literals.
std::vector<std::string> rows_of(sqlite::Database& database, const Table& table)
{
    std::string shown;
    for (const Column& column : table.columns)
        shown += (shown.empty() ? "quote(" : " || ',' || quote(") + quoted(column.name) + ")";
    const auto select = prepared(
        database, "SELECT " + shown + " AS row FROM " + quoted(table.name) + " ORDER BY 1");
    std::vector<std::string> rows;
    while (select->next()) rows.emplace_back(select->bytes(0));
    return rows;
}

class TransferTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (!postgres::TestServer::instance().is_there())
            GTEST_SKIP() << "PostgreSQL is not installed and cannot be installed here "
                            "(tools/postgres): nothing of this room was tested.";
    }

    // A database with bytes of all kinds.
    void write_backup()
    {
        auto made = sqlite::open_for_writing({.file = backup()});
        ASSERT_TRUE(made);
        made->execute(
            "INSERT INTO keys (purpose, bytes) VALUES ('all bytes', x'00017f80ff'), ('empty', "
            "x'')");
        made->execute("UPDATE counters SET value = 41 WHERE name = 'activity'");
        const auto audit =
            prepared(*made,
                     "INSERT INTO audit (id, at_ms, actor, action, target, address, request_id)"
                     " VALUES (?1, 5, '', 'note', ?2, '', '')");
        for (const std::string& note : {"nul \0 inside"s, "\xc3\xa9"s, "'quotes' \\x41"s}) {
            audit->bind(1, std::string_view(note));
            audit->bind(2, std::string_view(note));
            audit->next();
            audit->reset();
        }
        made->text("PRAGMA journal_mode=DELETE");
    }

    std::filesystem::path backup() const { return directory.path() / "backup.db"; }
    std::filesystem::path again() const { return directory.path() / "again.db"; }
    Result<> restore()
    {
        return copy_to_postgres(backup(), {.url = url}, directory.path() / "scratch.db");
    }

    sqlite::TestDirectory directory;
    const std::string url = postgres::TestServer::instance().is_there()
                                ? postgres::TestServer::instance().new_url()
                                : std::string();
};

TEST_F(TransferTest, ABackupComesBackAsItWas)
{
    write_backup();
    ASSERT_TRUE(restore());
    ASSERT_TRUE(copy_to_file({.url = url}, again(), false));
    sqlite::Database first(backup(), sqlite::Database::Access::read);
    sqlite::Database second(again(), sqlite::Database::Access::read);
    const auto tables = tables_of(first);
    EXPECT_GT(tables.size(), 15U);
    for (const Table& table : tables)
        EXPECT_EQ(rows_of(first, table), rows_of(second, table)) << table.name;
    EXPECT_EQ(second.integer("SELECT seq FROM sqlite_sequence WHERE name = 'audit'"), 3);
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "scratch.db"));
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "again.db.rows"));
}

TEST_F(TransferTest, ImagesComeBackAsTheyWere)
{
    write_backup();
    {
        sqlite::Database database(backup(), sqlite::Database::Access::write);
        database.execute(
            "INSERT INTO users (id, username, name_key, display_name, role, disabled, created_ms,"
            " password_hash) VALUES ('usr_1', 'ana', 'ana', 'Ana', 'member', 0, 5, '')");
        database.execute(
            "INSERT INTO images (user, test, sha256, media_type, bytes) VALUES"
            " ('usr_1', 0, 'one', 'image/png', x'00ff'), ('usr_1', 1, 'one', 'image/png', x''),"
            " ('usr_1', 0, 'two', 'image/gif', randomblob(5000000))");
    }
    ASSERT_TRUE(restore());
    ASSERT_TRUE(copy_to_file({.url = url}, again(), false));
    sqlite::Database first(backup(), sqlite::Database::Access::read);
    sqlite::Database second(again(), sqlite::Database::Access::read);
    for (const Table& table : tables_of(first)) {
        if (table.name != "images") continue;
        EXPECT_EQ(rows_of(first, table).size(), 3U);
        EXPECT_TRUE(rows_of(first, table) == rows_of(second, table));
    }
    EXPECT_EQ(second.integer("SELECT count(*) FROM images"), 3);
}

TEST_F(TransferTest, NumbersOfRemovedRowsAreNotUsedAgain)
{
    write_backup();
    {
        sqlite::Database database(backup(), sqlite::Database::Access::write);
        database.execute("UPDATE sqlite_sequence SET seq = 1000 WHERE name = 'audit'");
    }
    ASSERT_TRUE(restore());
    postgres::Link link({.url = url}, [] { return false; });
    EXPECT_EQ(link.text("SELECT nextval('activity')"), "42");
    EXPECT_EQ(link.text("SELECT nextval(pg_get_serial_sequence('audit', 'position'))"), "1001");
}

TEST_F(TransferTest, ADatabaseThatIsUsedIsRefused)
{
    write_backup();
    ASSERT_TRUE(restore());
    postgres::Link link({.url = url}, [] { return false; });
    link.execute("INSERT INTO replicas (incarnation, name, version) VALUES (1, 'one', '')");
    EXPECT_EQ(restore().error().code, Errc::conflict);
    link.execute("UPDATE replicas SET beat_at = clock_timestamp() - interval '11 s'");
    EXPECT_TRUE(restore());
    EXPECT_EQ(link.text("SELECT count(*) FROM audit"), "3");
}

TEST_F(TransferTest, NewsAndEventsOfEarlierServersAreRemoved)
{
    write_backup();
    ASSERT_TRUE(restore());
    postgres::Link link({.url = url}, [] { return false; });
    link.execute("INSERT INTO heard (number, kind, subject) VALUES (7, 'rights', 'usr_1')");
    link.execute("INSERT INTO run_events VALUES (1, 1, 'one')");
    ASSERT_TRUE(restore());
    EXPECT_EQ(link.text("SELECT count(*) FROM heard"), "0");
    EXPECT_EQ(link.text("SELECT count(*) FROM run_events"), "0");
}

// A server ends connections of servers that are stuck. That of a backup may be between two rows.
TEST_F(TransferTest, TheConnectionOfABackupHasNotTheNameOfItsServer)
{
    write_backup();
    ASSERT_TRUE(restore());
    const auto name = std::make_shared<postgres::ConnectionName>();
    name->set("parley/1/1");
    postgres::Link link({.url = url}, [] { return false; });
    postgres::Link watch({.url = url}, [] { return false; });
    link.execute("BEGIN");
    link.execute("LOCK TABLE audit");
    std::thread copies(
        [&] { EXPECT_TRUE(copy_to_file({.url = url, .name = name}, again(), false)); });
    const std::string waiting = " FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    EXPECT_TRUE(
        postgres::comes_true([&] { return watch.text("SELECT count(*)" + waiting) == "1"; }));
    EXPECT_EQ(watch.text("SELECT application_name" + waiting), "parley");
    link.execute("COMMIT");
    copies.join();
}

TEST_F(TransferTest, WhatIsNoBackupIsRefused)
{
    EXPECT_FALSE(restore());
    postgres::Link link({.url = url}, [] { return false; });
    EXPECT_EQ(link.text("SELECT to_regclass('users')"), "");
}

}  // namespace
}  // namespace parley::store::transfer
