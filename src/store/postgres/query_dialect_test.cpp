#include "store/postgres/query_dialect.hpp"

#include <gtest/gtest.h>

namespace parley::store::postgres {
namespace {

TEST(QueryDialect, NumbersParametersAsPostgresqlDoes)
{
    EXPECT_EQ(translated_query("SELECT a FROM t WHERE b = ?1 AND c < ?12"),
              "SELECT a FROM t WHERE b = $1 AND c < $12");
}

TEST(QueryDialect, LeavesLiteralsAlone)
{
    EXPECT_EQ(translated_query("SELECT 'why?' WHERE a = ' INDEXED BY x' AND b = ?1"),
              "SELECT 'why?' WHERE a = ' INDEXED BY x' AND b = $1");
    EXPECT_EQ(translated_query("SELECT 'it''s ?' , ?1"), "SELECT 'it''s ?' , $1");
}

TEST(QueryDialect, DropsAdviceAboutIndexesAndOrder)
{
    EXPECT_EQ(translated_query("SELECT 1 FROM a INDEXED BY a_by_b CROSS JOIN c ON c.d = a.b"),
              "SELECT 1 FROM a JOIN c ON c.d = a.b");
}

TEST(QueryDialect, FindsTheTableOfAnInsert)
{
    EXPECT_EQ(table_of_insert("INSERT INTO branches (session) VALUES (?1)"), "branches");
    EXPECT_EQ(table_of_insert("UPDATE branches SET a = 1"), "");
}

}  // namespace
}  // namespace parley::store::postgres
