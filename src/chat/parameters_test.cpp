#include "chat/parameters.hpp"

#include <gtest/gtest.h>

namespace parley::chat {
namespace {

TEST(Parameters, KeepTools)
{
    constexpr std::string_view given =
        R"({"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"})";
    const engine::Sampling asked{.tools = engine::restored_tools(given)};
    ASSERT_TRUE(asked.tools);
    const auto read = read_parameters(write_parameters(asked, ""));
    ASSERT_TRUE(read && read->tools);
    EXPECT_EQ(read->tools->given, given);
    EXPECT_EQ(read->tools->choice, engine::ToolChoice::required);
    EXPECT_FALSE(read_parameters(write_parameters({}, ""))->tools);
    EXPECT_EQ(read_parameters(R"({"tools":"broken"})").error().code, Errc::internal)
        << "the answer must not be free text";
}

}  // namespace
}  // namespace parley::chat
