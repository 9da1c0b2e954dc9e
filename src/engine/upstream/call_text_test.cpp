#include "engine/upstream/call_text.hpp"

#include "engine/answer_reader.hpp"

#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

TEST(CallText, CanBeReadAgain)
{
    CallText text;
    std::string answer = text.text("Wait.");
    answer += text.text("");
    answer += *text.call({.index = 0, .id = "c1", .name = "f", .arguments = ""});
    answer += *text.call({.index = 0, .arguments = "{\"a\""});
    answer += *text.call({.index = 0, .arguments = ": 1}"});
    answer += *text.call({.index = 1, .id = "c2", .name = "g", .arguments = "{}"});
    answer += text.end();
    answer += text.end();
    const auto read = read_answer(answer, std::make_shared<const Tools>(), ToolUse::passed_on);
    EXPECT_EQ(read.text, "Wait.");
    EXPECT_EQ(read.calls,
              (std::vector<ToolCall>{{.id = "c1", .name = "f", .arguments = "{\"a\": 1}"},
                                     {.id = "c2", .name = "g", .arguments = "{}"}}));
}

TEST(CallText, TakesTextAfterACall)
{
    CallText text;
    std::string answer = *text.call({.index = 0, .id = "c1", .name = "f", .arguments = "{}"});
    answer += text.text("Done.");
    const auto read =
        read_answer(answer + text.end(), std::make_shared<const Tools>(), ToolUse::passed_on);
    EXPECT_EQ(read.text, "Done.");
    EXPECT_EQ(read.calls.size(), 1U);
}

TEST(CallText, RefusesCallsThatCannotBeWritten)
{
    CallText text;
    EXPECT_FALSE(text.call({.index = 0, .id = "c1"})) << "it has no name";
    EXPECT_TRUE(text.call({.index = 1, .id = "c1", .name = "f"}));
    EXPECT_FALSE(text.call({.index = 0, .arguments = "{}"})) << "an earlier one";
}

}  // namespace
}  // namespace parley::engine::upstream
