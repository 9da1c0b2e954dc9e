#include "app/store_settings.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(StoreUrl, IsOneOfPostgresqlOrNone)
{
    EXPECT_FALSE(fault_of_store_url(""));
    EXPECT_FALSE(fault_of_store_url("postgresql://db/parley"));
    EXPECT_FALSE(fault_of_store_url("postgres://db/parley"));
    const auto fault = fault_of_store_url("mysql://ana:geheim@db/parley");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->find("geheim"), fault->npos);
}

TEST(StoreUrl, IsShownWithoutItsPassword)
{
    EXPECT_EQ(without_password(""), "");
    EXPECT_EQ(without_password("postgresql://db/parley"), "postgresql://db/parley");
    EXPECT_EQ(without_password("postgresql://ana@db:5432/parley"),
              "postgresql://ana@db:5432/parley");
    EXPECT_EQ(without_password("postgresql://ana:geheim@db:5432/parley"),
              "postgresql://ana:***@db:5432/parley");
    EXPECT_EQ(without_password("postgresql://ana:ge@he/im@db"), "postgresql://ana:***@db");
    EXPECT_EQ(without_password("postgresql://db/p?user=ana&password=geheim&sslmode=require"),
              "postgresql://db/p?user=ana&password=***&sslmode=require");
    EXPECT_EQ(without_password("postgresql:/ana:geheim@db"), "***");
}

class PasswordFile : public testing::Test {
protected:
    Result<store::postgres::Options> options(const std::string& path)
    {
        Settings settings;
        settings.postgres.url = "postgresql://db/parley";
        settings.store_password_file = path;
        return postgres_options(settings);
    }

    FolderForTests folder;
};

TEST_F(PasswordFile, ItsFirstLineIsThePassword)
{
    EXPECT_EQ(options(folder.file("password", "ge heim\r\nsecond")).value().password->reveal(),
              "ge heim");
    EXPECT_EQ(options("").value().password, nullptr);
}

TEST_F(PasswordFile, IsRefusedIfOthersCanReadItOrItIsEmpty)
{
    const auto shared = options(folder.file("password", "geheim", 0640));
    ASSERT_FALSE(shared);
    EXPECT_NE(shared.error().message.find("chmod 600"), std::string::npos);
    EXPECT_EQ(shared.error().message.find("geheim"), std::string::npos);
    EXPECT_FALSE(options(folder.file("empty", "\n")));
    EXPECT_FALSE(options("/nowhere"));
}

}  // namespace
}  // namespace parley::app
