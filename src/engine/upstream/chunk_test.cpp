#include "engine/upstream/chunk.hpp"

#include "engine/upstream/estimate.hpp"

#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

Chunk choice(const std::string& inside) { return read_chunk(R"({"choices":[{)" + inside + "}]}"); }

TEST(Chunk, HasTextOrNone)
{
    EXPECT_EQ(choice(R"("delta":{"content":"h\u00e9"})").text, "h\u00e9");
    for (const char* none : {R"("delta":{"content":null})", R"("delta":{"role":"assistant"})",
                             R"("delta":null)", R"("delta":{"reasoning_content":"hm"})", ""}) {
        EXPECT_EQ(choice(none).text, "") << none;
        EXPECT_FALSE(choice(none).fault) << none;
    }
    EXPECT_FALSE(read_chunk(R"({"choices":[]})").fault);
    EXPECT_FALSE(read_chunk(R"({"choices":null,"error":null})").fault);
}

TEST(Chunk, SaysWhyTheAnswerEnded)
{
    const auto reason = [](const std::string& text, const std::string& more = "") {
        return choice(R"("finish_reason":")" + text + "\"" + more).reason;
    };
    EXPECT_EQ(reason("stop"), StopReason::end_turn);
    EXPECT_EQ(reason("eos"), StopReason::end_turn);
    EXPECT_EQ(reason("length"), StopReason::max_tokens);
    EXPECT_EQ(reason("stop", R"(,"stop_reason":"END")"), StopReason::stop_sequence);
    EXPECT_EQ(reason("stop", R"(,"matched_stop":"END")"), StopReason::stop_sequence);
    EXPECT_EQ(reason("stop", R"(,"stop_reason":null)"), StopReason::end_turn);
    EXPECT_EQ(reason("stop", R"(,"stop_reason":128001)"), StopReason::end_turn);
    EXPECT_FALSE(choice(R"("finish_reason":null)").reason);
    for (const char* bad : {"content_filter", "function_call"})
        EXPECT_TRUE(choice(R"("finish_reason":")" + std::string(bad) + "\"").fault) << bad;
    EXPECT_EQ(reason("tool_calls"), StopReason::end_turn);
    EXPECT_TRUE(choice(R"("finish_reason":"tool_calls")").ends_with_calls);
}

TEST(Chunk, HasPartsOfCalls)
{
    const auto chunk = choice(R"("delta":{"tool_calls":[
        {"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""}},
        {"index":1,"function":{"arguments":"{\"a"}},{}]})");
    ASSERT_EQ(chunk.calls.size(), 3U);
    EXPECT_EQ(chunk.calls[0].id, "c");
    EXPECT_EQ(chunk.calls[0].name, "f");
    EXPECT_EQ(chunk.calls[1].index, 1);
    EXPECT_EQ(chunk.calls[1].arguments, "{\"a");
    EXPECT_TRUE(choice(R"("delta":{"tool_calls":{}})").fault);
    EXPECT_FALSE(choice(R"("delta":{"tool_calls":null})").fault);
}

TEST(Chunk, HasUsageThatCannotBeWrong)
{
    const auto usage = [](const std::string& inside) {
        return read_chunk(R"({"choices":[],"usage":)" + inside + "}").usage;
    };
    EXPECT_EQ(usage(R"({"prompt_tokens":9,"completion_tokens":4,
                        "prompt_tokens_details":{"cached_tokens":3}})"),
              (Usage{9, 4, 3}));
    EXPECT_EQ(usage(R"({"prompt_tokens":-9,"completion_tokens":"x",
                        "prompt_tokens_details":{"cached_tokens":3}})"),
              (Usage{0, 0, 0}));
    EXPECT_EQ(usage(R"({"prompt_tokens":9223372036854775807,
                        "completion_tokens":9223372036854775807})"),
              (Usage{1'000'000'000'000, 1'000'000'000'000, 0}));
    EXPECT_FALSE(usage("null"));
    EXPECT_FALSE(usage("[]"));
}

TEST(Chunk, IsRefusedWhereItIsNone)
{
    for (const char* bad :
         {"", "{", "[]", "5", "null", "{\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}",
          R"({"choices":5})", R"({"choices":[{"delta":{"content":5}}]})",
          R"({"error":{"message":"no"}})", R"({"error":"no"})"})
        EXPECT_TRUE(read_chunk(bad).fault) << bad;
    EXPECT_EQ(read_chunk(R"({"error":{"message":"no"}})").fault, "it sent an error: no");
}

TEST(Refusals, AreAboutLengthInSeveralWays)
{
    EXPECT_TRUE(is_about_length(R"({"error":{"code":"context_length_exceeded"}})"));
    EXPECT_TRUE(is_about_length(R"({"error":{"type":"exceed_context_size_error","code":400}})"));
    EXPECT_TRUE(
        is_about_length(R"({"message":"This model's maximum context length is 4096 tokens."})"));
    EXPECT_FALSE(is_about_length(R"({"error":{"message":"temperature"}})"));
    EXPECT_FALSE(is_about_length("<html>"));
}

TEST(TokenEstimate, CountsBytes)
{
    EXPECT_EQ(tokens_of_turn(""), 4);
    EXPECT_EQ(tokens_of_turn("abc"), 5);
    EXPECT_EQ(tokens_of_turn("abcd"), 6);
    EXPECT_EQ(tokens_of_turn("\u00e9\u00e9"), 6);
}

}  // namespace
}  // namespace parley::engine::upstream
