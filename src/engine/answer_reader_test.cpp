#include "engine/answer_reader.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace parley::engine {
namespace {

const ToolsRef offered_tools = std::make_shared<const Tools>(
    Tools{.functions = {{.name = "f"}, {.name = "g"}}, .choice = ToolChoice::automatic});
const ToolsRef demanded_tools = std::make_shared<const Tools>(
    Tools{.functions = {{.name = "f"}, {.name = "g"}}, .choice = ToolChoice::required});

std::string shown(const ReadAnswer& answer)
{
    std::string text = answer.text;
    for (const ToolCall& call : answer.calls)
        text += "[" + call.id + "|" + call.name + "|" + call.arguments + "]";
    return text;
}

// The answer as a whole; also cut at each place, and byte by byte, which must not matter.
std::string read_any_way(std::string_view text, const ToolsRef& tools, ToolUse use)
{
    const std::string whole = shown(read_answer(text, tools, use));
    const auto joined = [&](const std::vector<std::string_view>& deltas) {
        AnswerReader reader(tools, use);
        ReadAnswer answer;
        const auto take = [&](const std::vector<AnswerPart>& parts) {
            for (const AnswerPart& part : parts) {
                if (part.kind == AnswerPart::Kind::text) answer.text += part.text;
                if (part.kind == AnswerPart::Kind::call)
                    answer.calls.push_back({.id = part.id, .name = part.name});
                if (part.kind == AnswerPart::Kind::arguments)
                    answer.calls.back().arguments += part.text;
            }
        };
        for (const std::string_view delta : deltas) take(reader.add(delta));
        take(reader.end());
        EXPECT_EQ(reader.calls(), answer.calls.size());
        return shown(answer);
    };
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        EXPECT_EQ(joined({text.substr(0, i), text.substr(i)}), whole) << i;
        bytes.push_back(text.substr(i, 1));
    }
    EXPECT_EQ(joined(bytes), whole);
    return whole;
}

std::string passed(std::string_view text)
{
    return read_any_way(text, offered_tools, ToolUse::passed_on);
}
std::string native(std::string_view text)
{
    return read_any_way(text, offered_tools, ToolUse::by_choice);
}

TEST(AnswerReader, FindsCallsThatWereWrittenHere)
{
    const std::string one = text_of_calls({}, {{.name = "f", .arguments = R"({"a":"b"})"}});
    EXPECT_EQ(one, "<tool_call>\n{\"name\":\"f\",\"arguments\":{\"a\":\"b\"}}\n</tool_call>");
    EXPECT_EQ(read_any_way(one, demanded_tools, ToolUse::demanded), R"([|f|{"a":"b"}])");
    EXPECT_EQ(read_any_way(one, demanded_tools, ToolUse::by_choice), R"([|f|{"a":"b"}])");
    const std::vector<ToolCall> two{{.id = "call_1", .name = "f", .arguments = "{}"},
                                    {.id = "call_2", .name = "g", .arguments = R"({"x":[1]})"}};
    EXPECT_EQ(passed(text_of_calls("Wait.\n", two)), "Wait.\n[call_1|f|{}][call_2|g|{\"x\":[1]}]");
    EXPECT_EQ(passed(text_of_calls("", two)), "[call_1|f|{}][call_2|g|{\"x\":[1]}]");
    EXPECT_EQ(passed(text_of_calls("", two) + "\nDone."),
              "Done.[call_1|f|{}][call_2|g|{\"x\":[1]}]");
}

TEST(AnswerReader, KeepsArgumentsAsTheyAre)
{
    const auto text = [](std::string_view arguments) {
        return beginning_of({.id = "c", .name = "f"}) + std::string(arguments) + "}" +
               std::string(call_ends);
    };
    for (const char* arguments : {"", "{ \"a\" : 1 }", "{\n \"a\": {}\n}",
                                  "{\"a\":", "</tool_call>", "{\"a\":\"}\\n</tool_call>\"}"})
        EXPECT_EQ(passed(text(arguments)), "[c|f|" + std::string(arguments) + "]");
}

TEST(AnswerReader, ShowsACallThatWasCut)
{
    const auto cut = [](std::string_view text) {
        return read_any_way("<tool_call>\n" + std::string(text), demanded_tools, ToolUse::demanded);
    };
    EXPECT_EQ(cut(R"({"name":"f","arguments":{"a":{"b":1})"), R"([|f|{"a":{"b":1}])");
    EXPECT_EQ(cut(R"({"name":"f","arguments":{"a":{"b":1}})"), R"([|f|{"a":{"b":1}}])");
    EXPECT_EQ(cut(R"({"name":"f","arguments":{"a":{"b":1}}})"), R"([|f|{"a":{"b":1}}])")
        << "the last brace ends the call";
    EXPECT_EQ(cut(R"({"name":"f","arguments":)"), "[|f|]");
    EXPECT_EQ(cut(R"({"name":"f","argu)"), "") << "it is not known which";
}

TEST(AnswerReader, LeavesTextAlone)
{
    for (const char* text :
         {"", "Hello", "\n\n", "a <tool_call>\n", "<tool_call", "<tool_call>", "<tool_call>\n",
          "<tool_call>\nno\n</tool_call>", "a\n<tool_call>\n{\"name\":1,\"arguments\":{}}",
          "<tool_call>\n{\"nam\n", "x\n<tool_call>\n<tool_call>\n"}) {
        EXPECT_EQ(passed(text), text);
        EXPECT_EQ(native(text), text);
    }
    const std::string call = text_of_calls("", {{.name = "f", .arguments = "{}"}});
    EXPECT_EQ(read_any_way(call, nullptr, ToolUse::by_choice), call) << "there are no tools";
    EXPECT_EQ(read_any_way(call, offered_tools, ToolUse::demanded), call)
        << "the model does not know them";
    const auto none = std::make_shared<const Tools>(Tools{.choice = ToolChoice::none});
    EXPECT_EQ(read_any_way(call, none, ToolUse::by_choice), call);
    const std::string long_header = "<tool_call>\n{\"name\":\"" + std::string(5000, 'a');
    EXPECT_EQ(shown(read_answer(long_header, offered_tools, ToolUse::passed_on)), long_header);
}

TEST(AnswerReader, ReadsCallsInTheFormOfAModel)
{
    EXPECT_EQ(native("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"),
              R"([|f|{"a":1}])");
    EXPECT_EQ(native("<tool_call>{\"arguments\": \"{\\\"a\\\": 1}\", \"name\": \"f\"}</tool_call>"),
              R"([|f|{"a":1}])");
    EXPECT_EQ(native("Let me see.\n<tool_call>\n{\"name\": \"f\"}\n</tool_call>\n<tool_call>\n"
                     "{\"name\": \"g\", \"arguments\": {}}\n</tool_call>\n"),
              "Let me see.[|f|{}][|g|{}]");
    EXPECT_EQ(native("<tool_call>\n{\"name\": \"f\", \"arguments\": {}}"), "[|f|{}]")
        << "without its end";
}

TEST(AnswerReader, DoesNotTrustCallsOfAModel)
{
    for (const char* text : {"<tool_call>\n{\"name\": \"h\", \"arguments\": {}}\n</tool_call>",
                             "<tool_call>\n{\"name\": \"f\", \"arguments\": 1}\n</tool_call>",
                             "<tool_call>\n{\"name\": \"f\", \"arguments\": {\n</tool_call>",
                             "<tool_call></tool_call>", "<tool_call>[]</tool_call> and more"})
        EXPECT_EQ(native(text), text);
}

TEST(AnswerReader, FindsTheEndOfACallBehindItsStrings)
{
    EXPECT_EQ(native("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"</tool_call>\"}}\n"
                     "</tool_call>"),
              R"([|f|{"a":"</tool_call>"}])");
    EXPECT_EQ(native("<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"\\\"</tool_call>\\\\\"}}"
                     "</tool_call>"),
              R"([|f|{"a":"\"</tool_call>\\"}])");
    EXPECT_EQ(native("<tool_call>\n{\"name\n</tool_call>\n<tool_call>\n{\"name\": \"f\"}\n"
                     "</tool_call>"),
              "<tool_call>\n{\"name\n</tool_call>[|f|{}]")
        << "a string that does not end hides nothing";
}

TEST(AnswerReader, ReadsNoMoreCallsThanAllowed)
{
    const auto calls = [](std::size_t count) {
        return text_of_calls(
            "Hm.", std::vector<ToolCall>(count, ToolCall{.name = "f", .arguments = "{}"}));
    };
    for (const ToolUse use : {ToolUse::by_choice, ToolUse::passed_on}) {
        const auto read = read_answer(calls(max_calls + 2) + "\nDone.", offered_tools, use);
        EXPECT_EQ(read.calls.size(), max_calls);
        EXPECT_EQ(read.text, "Hm.") << "the rest is ignored";
        EXPECT_EQ(read_answer(calls(max_calls), offered_tools, use).calls.size(), max_calls);
    }
    Tools one_at_a_time = *offered_tools;
    one_at_a_time.parallel = false;
    const auto tools = std::make_shared<const Tools>(one_at_a_time);
    EXPECT_EQ(read_any_way(calls(3) + "\nDone.", tools, ToolUse::by_choice), "Hm.[|f|{}]");
    EXPECT_EQ(read_answer(calls(3), tools, ToolUse::passed_on).calls.size(), 3U)
        << "another server decides that";
}

TEST(AnswerReader, TellsEscapedTextFromCalls)
{
    const std::string call = text_of_calls("", {{.name = "f", .arguments = "{}"}});
    for (const std::string& said :
         {call, "a\n" + call + "\nb", std::string("<tool_call>\\\\\n"),
          std::string("<tool_call>\n"), "<tool_call>\n" + call, std::string("<tool_call>\\x\n"),
          std::string("<tool_call>\\")}) {
        const std::string escaped = TextEscape().add(said);
        EXPECT_EQ(passed(escaped), said);
        EXPECT_EQ(unescaped(escaped), said);
        EXPECT_FALSE(has_call(escaped));
    }
    EXPECT_EQ(TextEscape().add("<tool_call>\n{"), "<tool_call>\\\n{");
    EXPECT_EQ(passed(text_of_calls(call, {{.id = "c", .name = "g", .arguments = "{}"}})),
              call + "[c|g|{}]");
}

TEST(HasCall, LooksAtTheBeginningsOfLines)
{
    EXPECT_TRUE(has_call("<tool_call>\n{}"));
    EXPECT_TRUE(has_call("a\n<tool_call>\n{}"));
    EXPECT_FALSE(has_call("a <tool_call>\n{}"));
    EXPECT_FALSE(has_call(""));
}

TEST(AnswerReader, TakesNoTimeForTextThatLooksLikeCalls)
{
    std::string text;
    while (text.size() < std::size_t{4} * 1024 * 1024) text += "x\n<tool_call>\n";
    const auto begun = std::chrono::steady_clock::now();
    const ReadAnswer answer = read_answer(text, offered_tools, ToolUse::passed_on);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
    EXPECT_TRUE(answer.calls.empty());
    EXPECT_EQ(answer.text, text);
}

}  // namespace
}  // namespace parley::engine
