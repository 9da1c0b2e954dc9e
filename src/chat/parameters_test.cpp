#include "chat/parameters.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <tuple>

namespace parley::chat {
namespace {

// All fields of it: with a new one this does not compile until it is compared, too.
auto parts_of(const engine::Sampling& sampling)
{
    const auto& [max_output_tokens, temperature, top_p, top_k, min_p, repeat_penalty,
                 presence_penalty, frequency_penalty, logit_bias, seed, stop, format, tools] =
        sampling;
    return std::tuple(max_output_tokens, temperature, top_p, top_k, min_p, repeat_penalty,
                      presence_penalty, frequency_penalty, logit_bias, seed, stop,
                      format ? std::optional(format->text) : std::nullopt,
                      tools ? std::optional(tools->given) : std::nullopt);
}

// A run that is resumed after a crash would continue differently without one of them.
TEST(Parameters, KeepTheWholeSampling)
{
    constexpr std::string_view tools =
        R"({"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"})";
    const engine::Sampling asked{.max_output_tokens = 32'768,
                                 .temperature = 0.1,
                                 .top_p = 0.95,
                                 .top_k = 0,
                                 .min_p = 0.05,
                                 .repeat_penalty = 1.1,
                                 .presence_penalty = -0.3,
                                 .frequency_penalty = 1e-7,
                                 .logit_bias = {{0, -100}, {50'256, 0.1}, {9'999'999'999, 100}},
                                 .seed = std::numeric_limits<std::uint32_t>::max(),
                                 .stop = {"END", "\n\n", "\"\\é"},
                                 .format = schema::restored(R"({"enum":["a","b"]})"),
                                 .tools = engine::restored_tools(tools)};
    ASSERT_TRUE(asked.format && asked.tools);
    const auto read = read_parameters(write_parameters(asked, "a trace"));
    ASSERT_TRUE(read);
    EXPECT_EQ(parts_of(*read), parts_of(asked));
}

TEST(Parameters, KeepThatNothingWasGiven)
{
    EXPECT_EQ(parts_of(read_parameters(write_parameters({}, "")).value()), parts_of({}));
    // Absent is not 0.
    const engine::Sampling zeros{
        .temperature = 0.0, .top_k = 0, .presence_penalty = 0.0, .seed = 0};
    EXPECT_EQ(parts_of(read_parameters(write_parameters(zeros, "")).value()), parts_of(zeros));
}

TEST(Parameters, KeepWhatBelongsToTheRun)
{
    using std::chrono::seconds;
    const ResponseParameters response{.instructions = "Be brief.",
                                      .request = boost::json::object{{"top_p", 0.5}}};
    const std::string text = write_parameters({}, "a trace", seconds(7), response);
    EXPECT_EQ(read_trace(text), "a trace");
    EXPECT_EQ(read_timeout(text), seconds(7));
    EXPECT_EQ(read_response(text).instructions, "Be brief.");
    EXPECT_EQ(read_response(text).request, response.request);
    EXPECT_FALSE(has_format(text));
    const std::string none = write_parameters({}, "");
    EXPECT_EQ(read_trace(none), "");
    EXPECT_EQ(read_timeout(none), std::nullopt);
    EXPECT_EQ(read_response(none).instructions, "");
    EXPECT_EQ(read_response(none).request, std::nullopt);
}

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
