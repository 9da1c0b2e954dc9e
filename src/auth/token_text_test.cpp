#include "auth/token_text.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace parley::auth {
namespace {

TEST(TokenText, LooksAsTheContractSays)
{
    const std::regex form("^pl[psrcth]_[0-9A-Za-z]{38}$");
    std::set<std::string> seen;
    for (const TokenKind kind : {TokenKind::personal, TokenKind::access, TokenKind::refresh,
                                 TokenKind::client, TokenKind::test, TokenKind::hook}) {
        const Secret token = new_token(kind);
        const std::string text(token.reveal());
        EXPECT_TRUE(std::regex_match(text, form)) << text;
        EXPECT_EQ(token_kind(text), kind);
        EXPECT_TRUE(seen.insert(text).second);
    }
}

// Computed by Python: zlib.crc32(b"plp_" + b"0" * 32), and its digits in base 62.
TEST(TokenText, HasTheChecksumThatOthersCompute)
{
    EXPECT_EQ(token_kind("plp_0000000000000000000000000000000017veKo"), TokenKind::personal);
}

TEST(TokenText, IsRefusedAfterAnySingleChange)
{
    const Secret token = new_token(TokenKind::personal);
    for (std::size_t at = 0; at < token.reveal().size(); ++at) {
        std::string changed(token.reveal());
        changed[at] = changed[at] == 'x' ? 'y' : 'x';
        EXPECT_EQ(token_kind(changed), std::nullopt) << at;
    }
}

TEST(TokenText, IsRefusedWhereItIsSomethingElse)
{
    const std::string good(new_token(TokenKind::access).reveal());
    for (const std::string& bad :
         {std::string(), std::string("pls_"), good + "0", good.substr(1), " " + good, good + "\n",
          std::string(42, '\0'), std::string(1'000'000, 'p'), std::string("' OR 1=1--")})
        EXPECT_EQ(token_kind(bad), std::nullopt);
}

TEST(TokenText, IsTakenOutOfWhatIsLogged)
{
    const std::string text(new_token(TokenKind::personal).reveal());
    EXPECT_EQ(without_tokens("/v1/api/" + text + "/x/" + text.substr(0, 30)),
              "/v1/api/plp_…/x/plp_…");
    EXPECT_EQ(without_tokens("/plp_short/pl/plx_0123456789abcdefghij"),
              "/plp_short/pl/plx_0123456789abcdefghij");
    EXPECT_EQ(without_tokens(""), "");
}

TEST(TokenText, LeavesAHintThatGivesNothingAway)
{
    const std::string text(new_token(TokenKind::personal).reveal());
    EXPECT_EQ(token_hint(text), "plp_…" + text.substr(38));
    EXPECT_EQ(token_hint("abc"), "");
}

}  // namespace
}  // namespace parley::auth
