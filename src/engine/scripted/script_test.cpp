#include "engine/scripted/script.hpp"

#include <gtest/gtest.h>

namespace parley::engine::scripted {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

TEST(Script, SaysAMessageWithoutDirectivesByteForByte)
{
    for (const std::string& message :
         {""s, " "s, "Hello"s, "  two  spaces \n"s, "a\0b"s, "你好 😀"s, "{"s, "}"s, "{}"s, "{ }"s,
          "{{}}"s, "f(){return {1,2};}"s, "\xff{\xfe"s}) {
        const Script script = read_script(message);
        EXPECT_EQ(script.text, message);
        EXPECT_FALSE(script.words || script.fail_after || script.error || script.half);
        EXPECT_EQ(script.delay + script.first_delay, 0ms);
    }
}

TEST(Script, ReadsEachDirective)
{
    const Script script = read_script(
        "{words:7}{delay_ms:50}{first_delay_ms:2000}{fail_after:5}{error:overloaded}{max_tokens}");
    EXPECT_EQ(script.text, "");
    EXPECT_EQ(script.words, 7);
    EXPECT_EQ(script.delay, 50ms);
    EXPECT_EQ(script.first_delay, 2s);
    EXPECT_EQ(script.fail_after, 5);
    EXPECT_EQ(script.error, Errc::overloaded);
    EXPECT_TRUE(script.half);
}

TEST(Script, TakesOneSpaceOutAfterEachDirective)
{
    EXPECT_EQ(read_script("{delay_ms:1} Hello").text, "Hello");
    EXPECT_EQ(read_script("Hello {delay_ms:1} world").text, "Hello world");
    EXPECT_EQ(read_script("Hello {delay_ms:1}").text, "Hello ");
    EXPECT_EQ(read_script("Hel{delay_ms:1}lo").text, "Hello");
    EXPECT_EQ(read_script("{delay_ms:1}  Hello").text, " Hello");
    EXPECT_EQ(read_script("{delay_ms:1}\nHello").text, "\nHello");
    EXPECT_EQ(read_script("{delay_ms:1} {max_tokens} {fail_after:3} Hello").text, "Hello");
    EXPECT_EQ(read_script("{delay_ms:1}{max_tokens} Hello").text, "Hello");
}

TEST(Script, LeavesInTheTextWhatIsNoDirectiveInRange)
{
    for (const char* message : {"{word:5}",
                                "{Words:5}",
                                "{words}",
                                "{words:}",
                                "{words:x}",
                                "{words:5x}",
                                "{words: 5}",
                                "{words:5 }",
                                "{ words:5}",
                                "{words:-1}",
                                "{words:+5}",
                                "{words:0x5}",
                                "{words:1.5}",
                                "{words:20001}",
                                "{words:99999999999999999999999999}",
                                "{words:5",
                                "words:5}",
                                "{delay_ms:60001}",
                                "{first_delay_ms:60001}",
                                "{delay_ms:-1}",
                                "{fail_after:}",
                                "{fail_after:100001}",
                                "{error:}",
                                "{error}",
                                "{error:Overloaded}",
                                "{error:502}",
                                "{error:not_found}",
                                "{error:rate_limited}",
                                "{error:internal}",
                                "{error:upstream}",
                                "{max_tokens:}",
                                "{max_tokens:5}",
                                "{MAX_TOKENS}",
                                "{max_tokens }",
                                "{words:5:5}"}) {
        const Script script = read_script(message);
        EXPECT_EQ(script.text, message);
        EXPECT_FALSE(script.words || script.fail_after || script.error || script.half) << message;
        EXPECT_EQ(script.delay + script.first_delay, 0ms) << message;
    }
}

TEST(Script, TakesTheEndsOfEachRange)
{
    EXPECT_EQ(read_script("{words:0}").words, 0);
    EXPECT_EQ(read_script("{words:20000}").words, 20'000);
    EXPECT_EQ(read_script("{fail_after:0}").fail_after, 0);
    EXPECT_EQ(read_script("{delay_ms:60000}").delay, 60s);
    EXPECT_EQ(read_script("{first_delay_ms:60000}").first_delay, 60s);
}

TEST(Script, FailsWithTheCodesOfAServerThatCannot)
{
    EXPECT_EQ(read_script("{error:upstream_error}").error, Errc::upstream_error);
    EXPECT_EQ(read_script("{error:upstream_timeout}").error, Errc::upstream_timeout);
    EXPECT_EQ(read_script("{error:overloaded}").error, Errc::overloaded);
    EXPECT_EQ(read_script("{error:model_unavailable}").error, Errc::model_unavailable);
    EXPECT_EQ(read_script("{error:storage_unavailable}").error, Errc::storage_unavailable);
    EXPECT_EQ(read_script("{error:shutting_down}").error, Errc::shutting_down);
}

TEST(Script, TakesTheLastOfAKind)
{
    const Script script = read_script("{words:1}{words:2}{words:bad}{delay_ms:1}{delay_ms:0}");
    EXPECT_EQ(script.words, 2);
    EXPECT_EQ(script.delay, 0ms);
    EXPECT_EQ(script.text, "{words:bad}");
}

TEST(Script, ReadsAMessageOnce)
{
    EXPECT_EQ(read_script("{wor{delay_ms:1}ds:5}").text, "{words:5}");
    EXPECT_FALSE(read_script("{wor{delay_ms:1}ds:5}").words);
    EXPECT_EQ(read_script("{{words:5}").text, "{");
    EXPECT_EQ(read_script("{{words:5}").words, 5);
}

// Otherwise a message full of opening braces would be searched to its end for each of them.
TEST(Script, LooksNoFurtherThanADirectiveIsLong)
{
    EXPECT_EQ(read_script("{words:" + std::string(50, '0') + "5}").words, 5);
    EXPECT_FALSE(read_script("{words:" + std::string(60, '0') + "5}").words);
    const std::string braces(131'072, '{');
    EXPECT_EQ(read_script(braces).text, braces);
}

}  // namespace
}  // namespace parley::engine::scripted
