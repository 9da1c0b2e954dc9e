#include "base/log_line.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

namespace parley::log {
namespace {

using namespace std::chrono_literals;

class LogLineTest : public testing::Test {
protected:
    LogLineTest()
    {
        setenv("TZ", "XYZ-3", 1);  // Three hours ahead of UTC.
        tzset();
    }
    ~LogLineTest() override
    {
        unsetenv("TZ");
        tzset();
    }

    static std::string line(Look look, std::string_view message, std::vector<Value> values = {},
                            Level level = Level::info)
    {
        std::string out;
        append_line(out, look, ManualClock().now() + 123ms, level, message, values);
        return out;
    }
};

TEST_F(LogLineTest, IsOneObjectForPrograms)
{
    EXPECT_EQ(line(Look::json, "request served",
                   {kv("status", 200), kv("bytes", std::size_t(12)), kv("ms", 1234us),
                    kv("route", "/healthz"), kv("kept", true), kv("change", -5)}),
              R"({"at":"2026-01-31T09:30:00.123Z","level":"info","message":"request served",)"
              R"("status":200,"bytes":12,"ms":1.234,"route":"/healthz","kept":true,"change":-5})"
              "\n");
}

TEST_F(LogLineTest, HasTheTimeOfDayAndFewQuotesForPeople)
{
    EXPECT_EQ(line(Look::people, "cannot open the port",
                   {kv("address", "127.0.0.1:8080"), kv("reason", "already in use"), kv("n", 2)},
                   Level::warn),
              "12:30:00.123 warn  cannot open the port  address=127.0.0.1:8080 "
              "reason=\"already in use\" n=2\n");
    EXPECT_EQ(line(Look::people, "ready"), "12:30:00.123 info  ready\n");
}

TEST_F(LogLineTest, HasColoursOnlyWhereAsked)
{
    EXPECT_NE(line(Look::colours, "x").find('\x1b'), std::string::npos);
    EXPECT_EQ(line(Look::people, "x").find('\x1b'), std::string::npos);
    EXPECT_EQ(line(Look::json, "x").find('\x1b'), std::string::npos);
}

// Content stays inside its value: no line break, no quote of its own, no terminal control and no
// change of direction.
TEST_F(LogLineTest, CannotBeForgedByContent)
{
    const std::array<std::string, 8> hostile{
        "x\n12:30:00.123 error  disk full",
        "x\r\x1b[2K",
        "x\" level=\"error",
        std::string("\0\x07\x7f", 3),
        "\xC2\x9B"
        "31m",                        // U+009B, which some terminals read as ESC [.
        "\u202Etxt.exe\u2066\u200B",  // Reverses the direction; hides text.
        "\u2028\u2029\uFEFF",
        "\xFF\xC0\x80",
    };
    for (const std::string& text : hostile) {
        for (const Look look : {Look::people, Look::json}) {
            const std::string out = line(look, text, {kv("path", text), kv("end", 1)});
            EXPECT_EQ(out.find_first_of("\n\r\x1b\x07\x7f"), out.size() - 1) << out;
            for (const char* code : {"\u009B", "\u202E", "\u2066", "\u200B", "\u2028", "\uFEFF"})
                EXPECT_EQ(out.find(code), std::string::npos) << out;
        }
        const auto parsed = json::parse(line(Look::json, text, {kv("path", text)}));
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->as_object().size(), 4);
    }
    EXPECT_EQ(line(Look::people, "m", {kv("path", hostile[2])}),
              "12:30:00.123 info  m  path=\"x\\\" level=\\\"error\"\n");
    EXPECT_EQ(line(Look::people, "m", {kv("a", "b=c"), kv("d", "")}),
              "12:30:00.123 info  m  a=\"b=c\" d=\"\"\n");
}

TEST_F(LogLineTest, GivesProgramsTheTextBack)
{
    const std::string text = "a\tb\"c\\d\x1b ä€😀\u202E";
    const auto parsed = json::parse(line(Look::json, text));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(std::string_view(parsed->at("message").as_string()), text);
}

TEST_F(LogLineTest, StaysShortWhateverItTells)
{
    const std::string text(1U << 20U, 'x');
    for (const Look look : {Look::people, Look::json})
        EXPECT_LT(line(look, text, {kv("path", text)}).size(), 3 * max_text_bytes);
}

TEST_F(LogLineTest, WritesNumbersShortly)
{
    const auto number = [](double value) {
        const std::string out = line(Look::people, "m", {kv("x", value)});
        return out.substr(out.find('=') + 1, out.size() - out.find('=') - 2);
    };
    EXPECT_EQ(number(0), "0");
    EXPECT_EQ(number(1), "1");
    EXPECT_EQ(number(0.0625), "0.063");
    EXPECT_EQ(number(1234.5), "1234.500");
    EXPECT_EQ(number(-2.5), "-2.5");
    EXPECT_EQ(number(0.00001), "1e-05");
    EXPECT_EQ(number(1e300), "1e+300");
    EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "none");
    EXPECT_NE(line(Look::json, "m", {kv("x", std::numeric_limits<double>::quiet_NaN())})
                  .find(R"("x":null)"),
              std::string::npos);
}

}  // namespace
}  // namespace parley::log
