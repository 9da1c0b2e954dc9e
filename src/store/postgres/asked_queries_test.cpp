// Queries that are asked before others cost no round trip of their own.
#include "store/postgres/connection.hpp"
#include "store/postgres/server_for_tests.hpp"

#include <memory>
#include <string>

namespace parley::store::postgres {
namespace {

class AskedQueriesTest : public testing::Test {
protected:
    ~AskedQueriesTest() override { TestServer::instance().give_back(options.url); }

    sql::Query number(const std::int64_t& value)
    {
        sql::Query query = connection.query("SELECT ?1 + 1");
        query.bind(value);
        return query;
    }
    sql::Query purpose(const std::string& name)
    {
        sql::Query query = connection.query("SELECT purpose FROM keys WHERE purpose = ?1");
        query.bind(name);
        return query;
    }
    sql::Query insertion(const std::string& name)
    {
        sql::Query query = connection.query("INSERT INTO keys (purpose, bytes) VALUES (?1, ?1)");
        query.bind(name);
        return query;
    }
    // Prepares the statements: the first use of each waits.
    void warm_up()
    {
        begin();
        number(0).next();
        purpose("none").next();
        insertion("first").run();
        connection.commit();
    }
    void begin() { connection.begin(PostgresConnection::Mode::write); }
    std::string count_of_keys()
    {
        return Link(options, [] { return false; }).text("SELECT count(*) FROM keys");
    }

    const Options options{.url = TestServer::instance().take_tables()};
    PostgresConnection connection{options, [] { return false; }};
};

TEST_F(AskedQueriesTest, HaveTheirOwnResultsInWhateverOrderTheyAreRead)
{
    for (int use = 0; use < 2; ++use) {  // Not prepared yet, and prepared.
        begin();
        sql::Query one = number(use);
        one.ask();
        insertion("key " + std::to_string(use)).send();
        const std::string name = "key " + std::to_string(use);
        sql::Query two = purpose(name);
        two.ask();
        sql::Query three = connection.query("SELECT 7");
        ASSERT_TRUE(three.next());
        EXPECT_EQ(three.only<std::int64_t>(), 7);
        ASSERT_TRUE(two.next());
        EXPECT_EQ(two.only<std::string>(), name);
        EXPECT_FALSE(two.next());
        ASSERT_TRUE(one.next());
        EXPECT_EQ(one.only<std::int64_t>(), use + 1);
        connection.commit();
    }
    EXPECT_EQ(count_of_keys(), "2");
}

TEST_F(AskedQueriesTest, AreAnsweredWithoutAnyOther)
{
    warm_up();
    begin();
    sql::Query one = number(1);
    one.ask();
    ASSERT_TRUE(one.next());
    EXPECT_EQ(one.only<std::int64_t>(), 2);
    connection.commit();
}

TEST_F(AskedQueriesTest, CountTheRowsThatTheyChange)
{
    warm_up();
    begin();
    const std::string name = "second";
    sql::Query insert = insertion(name);
    insert.ask();
    EXPECT_FALSE(purpose("none").next());
    EXPECT_EQ(insert.run(), 1U);
    connection.commit();
    EXPECT_EQ(connection.mark().number, 2) << "the change has a mark";
}

TEST_F(AskedQueriesTest, NeedNotBeRead)
{
    warm_up();
    begin();
    number(1).ask();
    EXPECT_TRUE(purpose("first").next());
    number(5).ask();
    connection.commit();
    begin();
    sql::Query one = number(2);
    ASSERT_TRUE(one.next());
    EXPECT_EQ(one.only<std::int64_t>(), 3);
    connection.commit();
}

TEST_F(AskedQueriesTest, FailWithALaterQueryAndTheConnectionGoesOn)
{
    warm_up();
    begin();
    sql::Query one = number(1);
    one.ask();
    {
        const std::string name = "first";
        sql::Query twin = insertion(name);
        twin.ask();
        EXPECT_THROW(purpose("none").next(), Failure);
    }
    connection.roll_back();
    EXPECT_EQ(count_of_keys(), "1");
    begin();
    EXPECT_TRUE(purpose("first").next());
    insertion("second").run();
    connection.commit();
    EXPECT_EQ(count_of_keys(), "2");
}

}  // namespace
}  // namespace parley::store::postgres
