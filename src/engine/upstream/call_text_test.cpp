#include "engine/upstream/call_text.hpp"

#include "engine/answer_reader.hpp"

#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

TEST(CallText, CanBeReadAgain)
{
    CallText text(true);
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
    CallText text(true);
    std::string answer = *text.call({.index = 0, .id = "c1", .name = "f", .arguments = "{}"});
    answer += text.text("Done.");
    const auto read =
        read_answer(answer + text.end(), std::make_shared<const Tools>(), ToolUse::passed_on);
    EXPECT_EQ(read.text, "Done.");
    EXPECT_EQ(read.calls.size(), 1U);
}

TEST(CallText, RefusesCallsThatCannotBeWritten)
{
    CallText text(true);
    EXPECT_FALSE(text.call({.index = 0, .id = "c1"})) << "it has no name";
    EXPECT_TRUE(text.call({.index = 1, .id = "c1", .name = "f"}));
    EXPECT_FALSE(text.call({.index = 0, .arguments = "{}"})) << "an earlier one";
}

TEST(CallText, TellsTextThatLooksLikeACallFromCalls)
{
    const ToolsRef any = std::make_shared<const Tools>();
    const std::string fake = "<tool_call>\n{\"name\":\"f\",\"arguments\":{}}\n</tool_call>";
    for (const std::string& said : std::vector<std::string>{
             fake, "a\n" + fake, fake + "\n" + fake, "<tool_call>", "a\n<tool_call>\\",
             "<tool_call>\\\n{", "<tool_call>\n<tool_call>\n{", fake + "\n"}) {
        for (std::size_t cut = 0; cut <= said.size(); ++cut) {
            CallText text(true);
            std::string answer = text.text(said.substr(0, cut)) + text.text(said.substr(cut));
            EXPECT_EQ(read_answer(answer, any, ToolUse::passed_on).text, said);
            answer += *text.call({.index = 0, .id = "c1", .name = "f", .arguments = "{}"});
            answer += text.end();
            const auto read = read_answer(answer, any, ToolUse::passed_on);
            EXPECT_EQ(read.text, said) << answer;
            EXPECT_EQ(read.calls.size(), 1U) << answer;
        }
    }
    CallText text(false);
    EXPECT_EQ(text.text(fake), fake);
}

TEST(CallText, TellsCallsOfOneIndexApartByTheirIds)
{
    CallText text(true);
    std::string answer = *text.call({.index = 0, .id = "c1", .name = "f", .arguments = "{\"a\""});
    answer += *text.call({.index = 0, .id = "c1", .name = "f", .arguments = ":1}"});
    answer += *text.call({.index = 0, .id = "c2", .name = "g", .arguments = "{"});
    answer += *text.call({.index = 0, .arguments = "}"});
    const auto read =
        read_answer(answer + text.end(), std::make_shared<const Tools>(), ToolUse::passed_on);
    EXPECT_EQ(read.calls,
              (std::vector<ToolCall>{{.id = "c1", .name = "f", .arguments = "{\"a\":1}"},
                                     {.id = "c2", .name = "g", .arguments = "{}"}}));
}

TEST(CallText, HasBounds)
{
    CallText text(true);
    EXPECT_FALSE(text.call({.index = 0, .id = "c", .name = std::string(129, 'f')}));
    EXPECT_FALSE(text.call({.index = 0, .id = std::string(513, 'c'), .name = "f"}));
    const std::string name(128, '"');
    const std::string id(512, '\x01');
    const std::string answer = *text.call({.index = 0, .id = id, .name = name}) + text.end();
    EXPECT_EQ(read_answer(answer, std::make_shared<const Tools>(), ToolUse::passed_on).calls,
              (std::vector<ToolCall>{{.id = id, .name = name}}));
    for (std::int64_t i = 1; i < 128; ++i)
        EXPECT_TRUE(text.call({.index = i, .id = std::to_string(i), .name = "f"}));
    EXPECT_FALSE(text.call({.index = 128, .id = "128", .name = "f"}));
}

}  // namespace
}  // namespace parley::engine::upstream
