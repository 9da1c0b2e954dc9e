#include "app/secrets_key.hpp"

#include "app/folder_for_tests.hpp"
#include "store/sqlite/memory_store.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SecretsKeyTest : public testing::Test {
protected:
    Result<Secret> key(const std::string& file)
    {
        Settings settings;
        settings.secrets_key_file = file;
        return secrets_key(settings, *store);
    }
    std::string refusal(const std::string& file)
    {
        const auto read = key(file);
        return read ? "" : read.error().message;
    }

    const FolderForTests folder;
    std::unique_ptr<store::Store> store = store::make_memory_store();
};

TEST_F(SecretsKeyTest, IsThatOfTheFile)
{
    const std::string text(32, 'k');
    EXPECT_EQ(key(folder.file("key", text)).value().reveal(), text);
    EXPECT_EQ(key(folder.file("of a group", text, 0640)).value().reveal(), text);
}

TEST_F(SecretsKeyTest, IsKeptInTheStoreWithoutAFile)
{
    const Secret made = key("").value();
    EXPECT_GE(made.reveal().size(), 32U);
    EXPECT_EQ(key("").value().reveal(), made.reveal());
}

TEST_F(SecretsKeyTest, IsRefusedIfItIsShortOrIfOthersCanReadIt)
{
    EXPECT_THAT(refusal(folder.file("short", std::string(31, 'k'))),
                AllOf(HasSubstr("secrets.key_file"), HasSubstr("at least 32 bytes")));
    EXPECT_THAT(refusal(folder.file("open", std::string(32, 'k'), 0644)),
                AllOf(HasSubstr("secrets.key_file"), HasSubstr("chmod o-rwx")));
    EXPECT_THAT(refusal(folder.path() / "none"), HasSubstr("there is no file"));
    EXPECT_THAT(refusal(folder.file("empty", "")), HasSubstr("is empty"));
}

}  // namespace
}  // namespace parley::app
