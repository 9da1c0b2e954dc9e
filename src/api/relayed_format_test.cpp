#include "api/relayed_format.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

constexpr std::string_view wants_number =
    R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object",
        "properties":{"a":{"type":"integer"}},"required":["a"]}}}})";

RelayedFormat format_of(std::string_view request) { return RelayedFormat(*json::parse(request)); }

std::string whole(const std::string& message, const std::string& reason = "stop")
{
    return R"({"choices":[{"index":0,"finish_reason":")" + reason + R"(","message":)" + message +
           "}]}";
}

std::string chunk(const std::string& delta, const std::string& reason = "null", int index = 0)
{
    return R"(data: {"choices":[{"index":)" + std::to_string(index) + R"(,"finish_reason":)" +
           reason + R"(,"delta":)" + delta + "}]}\n\n";
}

bool passes(std::string_view request, const std::string& body)
{
    const auto checked = format_of(request).check(body);
    if (!checked) EXPECT_EQ(checked.error().code, Errc::invalid_output);
    return checked.has_value();
}

bool passes_events(const std::vector<std::string>& events)
{
    auto format = format_of(wants_number);
    for (const std::string& each : events)
        if (!format.check_events(each)) return false;
    return true;
}

TEST(RelayedFormat, ChecksACompleteAnswer)
{
    EXPECT_TRUE(passes(wants_number, whole(R"({"content":"{\"a\": 1}"})")));
    EXPECT_FALSE(passes(wants_number, whole(R"({"content":"{\"a\":\"1\"}"})")));
    EXPECT_FALSE(passes(wants_number, whole(R"({"content":"Sure!"})")));
    EXPECT_FALSE(passes(wants_number, whole(R"({"content":null})")));
    EXPECT_FALSE(passes(wants_number, "{}"));
}

TEST(RelayedFormat, LeavesOtherAnswersAlone)
{
    EXPECT_TRUE(passes(wants_number, whole(R"({"content":"{\"a"})", "length")));
    EXPECT_TRUE(passes(wants_number, whole(R"({"content":null,"refusal":"No."})")));
    EXPECT_TRUE(passes(wants_number, whole(R"({"content":null,"tool_calls":[{}]})")));
    for (const std::string_view free :
         {"{}", R"({"response_format":{"type":"text"}})", R"({"response_format":null})",
          R"({"response_format":{"type":"json_schema","json_schema":{"schema":{"pattern":"a"}}}})"})
        EXPECT_TRUE(passes(free, whole(R"({"content":"Sure!"})"))) << free;
    EXPECT_FALSE(
        passes(R"({"response_format":{"type":"json_object"}})", whole(R"({"content":"[]"})")));
}

TEST(RelayedFormat, ChecksAnAnswerWithMoreValuesThanAParserTakes)
{
    std::string numbers;
    for (std::size_t i = 0; i <= json::max_values; ++i) numbers += i == 0 ? "0" : ",0";
    const auto answer = [&](const std::string& content) {
        return R"({"usage":{},"choices" : [ {"index":0,"logprobs":{"content":[)" + numbers +
               R"(]},"finish_reason":"stop","message":{"content":")" + content + R"("}} ]} )";
    };
    ASSERT_FALSE(json::parse(answer("")));
    EXPECT_TRUE(passes(wants_number, answer(R"({\"a\": 1})")));
    EXPECT_FALSE(passes(wants_number, answer("Sure!")));
}

TEST(RelayedFormat, RefusesWhatIsNoAnswer)
{
    for (const char* odd : {"", "[]", R"({"choices":{}})", R"({"choices":[})", R"({"choices":[7]})",
                            R"({"choices":[{"finish_reason":"stop","message":}]})",
                            R"({"choices":[{"finish_reason":"stop","message":{"content":"}]})"})
        EXPECT_FALSE(passes(wants_number, odd)) << odd;
    EXPECT_TRUE(passes(wants_number, R"({"choices":[]})"));
}

TEST(RelayedFormat, HoldsTheTextOfAllChoicesWithinOneLimit)
{
    const auto half_of_limit = [](int index) {
        return chunk(R"({"content":")" + std::string(std::size_t{2} << 20U, ' ') + "\"}", "null",
                     index);
    };
    auto format = format_of(wants_number);
    EXPECT_TRUE(format.check_events(half_of_limit(0) + half_of_limit(1)));
    const auto refused = format.check_events(chunk(R"({"content":"x"})", "null", 2));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::upstream_error);

    auto ending = format_of(wants_number);
    EXPECT_TRUE(ending.check_events(half_of_limit(0) + half_of_limit(1)));
    EXPECT_TRUE(ending.check_events(chunk(R"({"content":"{\"a\":1}"})", "\"length\"", 1)));
    EXPECT_TRUE(ending.check_events(half_of_limit(2))) << "what has ended is held no longer";
}

TEST(RelayedFormat, ChecksAStream)
{
    const std::string role = chunk(R"({"role":"assistant","content":""})");
    const std::string done = "data: [DONE]\n\n";
    const auto text = [](const std::string& json) {
        return chunk(R"({"content":")" + json + "\"}");
    };
    const std::string stop = chunk("{}", "\"stop\"");
    EXPECT_TRUE(passes_events({role, text(R"({\"a\")") + text(":1}"), stop + done}));
    EXPECT_FALSE(passes_events({role, text("Sure"), stop}));
    EXPECT_FALSE(passes_events({role, text("Sure"), done})) << "without a finish_reason";
    EXPECT_TRUE(passes_events({role, text("{"), chunk("{}", "\"length\""), done}));
    EXPECT_TRUE(passes_events({role, chunk(R"({"refusal":"No"})"), stop + done}));
    EXPECT_TRUE(passes_events({role, chunk(R"({"tool_calls":[{}]})"), stop, done}));
    EXPECT_FALSE(passes_events({text(R"({\"a\":1})"), chunk(R"({"content":"x"})", "null", 1), stop,
                                chunk("{}", "\"stop\"", 1)}))
        << "each choice is checked";
    EXPECT_TRUE(passes_events({": ping\n\n", role, stop.substr(0, 0), text(R"({\"a\":1})"), stop,
                               "data: {\"choices\":[],\"usage\":{}}\n\n", done}));
}

}  // namespace
}  // namespace parley::api
