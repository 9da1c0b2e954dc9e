#include "cli/definition_lines.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace parley::cli {
namespace {

Result<std::vector<boost::json::object>> read(const std::string& text)
{
    std::istringstream input(text);
    return read_definitions(input);
}

std::string complaint(const std::string& text)
{
    const auto definitions = read(text);
    return definitions ? "" : definitions.error().message;
}

TEST(DefinitionLines, AreReadWithoutEmptyOnes)
{
    const auto definitions = read("\xef\xbb\xbf{\"name\":\"a\"}\r\n\n \t\n{\"name\":\"b\"}");
    ASSERT_TRUE(definitions) << definitions.error().message;
    ASSERT_EQ(definitions->size(), 2U);
    EXPECT_EQ(definitions->at(0).at("name"), "a");
    EXPECT_EQ(definitions->at(1).at("name"), "b");
    EXPECT_TRUE(read("")->empty());
}

TEST(DefinitionLines, AreRefusedByTheirNumber)
{
    EXPECT_EQ(complaint("{}\n[]"), "Line 2 is not a JSON object.");
    EXPECT_TRUE(complaint("{}\n\n{").starts_with("Line 3 is not valid JSON: "));
    EXPECT_TRUE(complaint(R"({"a":1,"a":2})").starts_with("Line 1 is not valid JSON: "));
}

TEST(DefinitionLines, HaveBounds)
{
    const std::string longest = "{\"a\":\"" + std::string(longest_definition - 8, 'x') + "\"}";
    ASSERT_EQ(longest.size(), longest_definition);
    EXPECT_EQ(complaint(longest + "\n" + longest), "");
    EXPECT_EQ(complaint(longest + " "), "Line 1 has more than 1 MiB.");
    std::string many;
    for (std::size_t i = 0; i < most_definitions; ++i) many += "{}\n";
    EXPECT_EQ(complaint(many), "");
    EXPECT_EQ(complaint(many + "{}"), "There are more than 10000 definitions.");
}

}  // namespace
}  // namespace parley::cli
