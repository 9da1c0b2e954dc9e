#include "api/cursor.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

class CursorTest : public testing::Test {
protected:
    Cursors cursors{Secret(std::string(32, 'k'))};
};

TEST_F(CursorTest, GivesBackWhatItWasMadeFrom)
{
    using namespace std::string_literals;
    for (const std::string& position : {""s, "42"s, "a\0b"s, std::string(200, '\xff')}) {
        const std::string cursor = cursors.seal("audit", position);
        EXPECT_EQ(cursor.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                           "0123456789-_"),
                  std::string::npos);
        EXPECT_EQ(cursors.open("audit", cursor).value(), position);
    }
}

TEST_F(CursorTest, IsGoodForItsOwnListAlone)
{
    const std::string cursor = cursors.seal("sessions of a", "42");
    EXPECT_EQ(cursors.open("sessions of b", cursor).error().code, Errc::invalid_cursor);
    EXPECT_EQ(cursors.open("sessions of ", cursor).error().code, Errc::invalid_cursor);
    EXPECT_FALSE(cursors.open("sessions of", cursors.seal("sessions of a", "")));
}

TEST_F(CursorTest, DoesNotShowItsPosition)
{
    // Base64 of these digits at each of the three places where a text can begin.
    for (const char* shown : {"NTgyMzU4MjM", "U4MjM1ODIz", "1ODIzNTgyM"})
        EXPECT_EQ(cursors.seal("audit", "58235823").find(shown), std::string::npos);
    EXPECT_EQ(cursors.seal("audit", "7").size(), cursors.seal("audit", "58235823").size());
    EXPECT_NE(cursors.seal("audit", "7").substr(22), cursors.seal("audit", "8").substr(22));
    EXPECT_EQ(cursors.seal("audit", "7"), cursors.seal("audit", "7"));
}

TEST_F(CursorTest, IsRefusedIfItsEndIsMissing)
{
    for (int position = 0; position < 50; ++position) {
        const std::string cursor = cursors.seal("audit", std::to_string(position));
        for (std::size_t size = 0; size < cursor.size(); ++size)
            EXPECT_FALSE(cursors.open("audit", cursor.substr(0, size))) << position << ", " << size;
    }
}

TEST_F(CursorTest, OfAnotherServerIsRefused)
{
    const Cursors others{Secret(std::string(32, 'x'))};
    EXPECT_EQ(cursors.open("audit", others.seal("audit", "42")).error().code, Errc::invalid_cursor);
}

TEST_F(CursorTest, IsRefusedAfterAnySingleChange)
{
    const std::string cursor = cursors.seal("audit", "42");
    for (std::size_t at = 0; at < cursor.size(); ++at) {
        std::string changed = cursor;
        changed[at] = changed[at] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(cursors.open("audit", changed)) << at;
    }
}

TEST_F(CursorTest, IsRefusedWhereItIsSomethingElse)
{
    for (const char* bad :
         {"", "A", "AAAA", "' OR 1=1--", "0", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="})
        EXPECT_EQ(cursors.open("audit", bad).error().code, Errc::invalid_cursor) << bad;
}

}  // namespace
}  // namespace parley::api
