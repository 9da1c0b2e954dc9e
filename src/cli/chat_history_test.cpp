#include "cli/chat_history.hpp"

#include "app/folder_for_tests.hpp"
#include "auth/token_text.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace parley::cli {
namespace {

namespace fs = std::filesystem;

class ChatHistoryTest : public testing::Test {
protected:
    const app::FolderForTests folder;
    const fs::path file = folder.path() / "new" / "chat-history";
};

TEST_F(ChatHistoryTest, KeepsLinesForTheNextTime)
{
    ChatHistory first(file);
    EXPECT_TRUE(first.add("one\ntwo \"three\""));
    EXPECT_FALSE(first.add("one\ntwo \"three\"")) << "It repeats the last one";
    EXPECT_TRUE(first.add("four"));
    EXPECT_EQ(ChatHistory(file).entries(),
              (std::vector<std::string>{"one\ntwo \"three\"", "four"}));
    struct stat about{};
    ASSERT_EQ(::stat(file.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777U, 0600U);
}

TEST_F(ChatHistoryTest, KeepsNoTokens)
{
    ChatHistory history(file);
    const auto token = auth::new_token(auth::TokenKind::personal);
    EXPECT_FALSE(history.add("use " + std::string(token.reveal()) + " for it"));
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(ChatHistoryTest, IsBounded)
{
    ChatHistory history(file);
    EXPECT_FALSE(history.add(std::string(ChatHistory::max_entry_bytes + 1, 'x')));
    for (std::size_t i = 0; i <= ChatHistory::max_entries; ++i) history.add(std::to_string(i));
    const ChatHistory read(file);
    EXPECT_LE(read.entries().size(), ChatHistory::max_entries);
    EXPECT_EQ(read.entries().back(), std::to_string(ChatHistory::max_entries));
    EXPECT_EQ(ChatHistory(file).entries(), read.entries()) << "The file was cut, too";
}

TEST_F(ChatHistoryTest, ReadsNothingOfOtherFiles)
{
    const fs::path other = folder.file("other", "no JSON\n\"sound\"\n\"cut");
    EXPECT_EQ(ChatHistory(other).entries(), std::vector<std::string>{"sound"});
    fs::create_symlink(other, folder.path() / "link");
    EXPECT_TRUE(ChatHistory(folder.path() / "link").entries().empty());
    EXPECT_TRUE(ChatHistory("").add("x"));
}

TEST(ChatHistoryFile, LiesInTheStateDirectory)
{
    EXPECT_EQ(ChatHistory::usual_file({{"XDG_STATE_HOME", "/s"}, {"HOME", "/h"}}),
              "/s/parley/chat-history");
    EXPECT_EQ(ChatHistory::usual_file({{"XDG_STATE_HOME", ""}, {"HOME", "/h"}}),
              "/h/.local/state/parley/chat-history");
    EXPECT_EQ(ChatHistory::usual_file({}), "");
}

}  // namespace
}  // namespace parley::cli
