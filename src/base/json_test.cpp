#include "base/json.hpp"

#include "base/thread_time_for_tests.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <gmock/gmock.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::json {
namespace {

using testing::HasSubstr;
using namespace std::string_view_literals;

std::string refusal_of(std::string_view text)
{
    const auto parsed = parse(text);
    if (parsed) return "accepted " + boost::json::serialize(*parsed);
    EXPECT_EQ(parsed.error().code, Errc::invalid_json);
    return parsed.error().message;
}

std::string brackets(std::size_t depth)
{
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(Json, ReadsEveryKindOfValue)
{
    const auto parsed = parse(
        R"( {"text":"a\n\u00e4\ud83d\ude00","int":-7,"big":18446744073709551615,"real":0.7,
             "yes":true,"no":false,"nothing":null,"list":[1,[],{}],"object":{"a":{"a":1}}} )");
    ASSERT_TRUE(parsed);
    const boost::json::value expected{{"text", "a\nä😀"},
                                      {"int", -7},
                                      {"big", 18446744073709551615U},
                                      {"real", 0.7},
                                      {"yes", true},
                                      {"no", false},
                                      {"nothing", nullptr},
                                      {"list", {1, boost::json::array(), boost::json::object()}},
                                      {"object", {{"a", {{"a", 1}}}}}};
    EXPECT_EQ(*parsed, expected);
}

TEST(Json, ReadsBareValues)
{
    EXPECT_EQ(*parse("7"), 7);
    EXPECT_EQ(*parse(" \"x\"\r\n\t"), "x");
    EXPECT_TRUE(parse("null")->is_null());
}

TEST(Json, KeepsTheOrderOfMembers)
{
    EXPECT_EQ(boost::json::serialize(*parse(R"({"z":1,"a":2,"m":3})")), R"({"z":1,"a":2,"m":3})");
}

TEST(Json, KeepsNulInsideOfStringsAndKeys)
{
    const auto parsed = parse(R"({"a\u0000b":"\u0000x\u0000"})");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(std::string_view(parsed->at("a\0b"sv).as_string()), "\0x\0"sv);
}

TEST(Json, SaysWhatIsWrongAndWhere)
{
    const std::vector<std::pair<std::string_view, std::string_view>> cases{
        {R"({"a":1,"a":2})", R"(duplicate key "a" (byte 9).)"},
        {R"({"a":1,"\u0061":2})", R"(duplicate key "a")"},
        {R"([{"x":{"b":1,"c":2,"b":3}}])", R"(duplicate key "b")"},
        {R"({"":1,"":2})", R"(duplicate key "")"},
        {"", "it ends too early (byte 0)."},
        {"{\"a\":", "it ends too early (byte 5)."},
        {"\"abc", "it ends too early"},
        {"\xEF\xBB\xBF{}", "byte order mark"},
        {"\"a\xFF\"", "not UTF-8 (byte 2)."},
        {"\"\xED\xA0\x80\"", "not UTF-8"},
        {"\"\xC0\x80\"", "not UTF-8"},
        {R"("\ud800")", "half a surrogate pair"},
        {R"("\ud800\u0041")", "half a surrogate pair"},
        {R"("\udc00")", "half a surrogate pair"},
        {R"({"\ud800":1})", "half a surrogate pair"},
        {R"("\u12g4")", "four hex digits"},
        {"1e999", "beyond the range of a double"},
        {"-1e999", "beyond the range of a double"},
        {"1e99999999999", "beyond the range of a double"},
        {"[1,]", "does not belong there (byte 3)."},
        {"{'a':1}", "does not belong there"},
        {"[NaN]", "does not belong there"},
        {"[Infinity]", "does not belong there"},
        {"01", "text after its end (byte 1)."},
        {"{} {}", "text after its end (byte 3)."},
        {"// c\n1", "does not belong there"},
        {"\"a\nb\"", "does not belong there"},
        {"\xFF\xFE{\0}\0"sv, "not UTF-8"},
    };
    for (const auto& [text, why] : cases) EXPECT_THAT(refusal_of(text), HasSubstr(why)) << text;
}

TEST(Json, NamesADuplicateKeySafelyAndShortly)
{
    const std::string key = "\\n\\u001b" + std::string(100000, 'k');
    const std::string refusal = refusal_of("{\"" + key + "\":1,\"" + key + "\":2}");
    EXPECT_THAT(refusal, HasSubstr(R"(duplicate key "\n\u001bkkk)"));
    EXPECT_LT(refusal.size(), 200);
}

TEST(Json, AllowsThirtyTwoLevelsAndNotOneMore)
{
    EXPECT_TRUE(parse(brackets(32)));
    EXPECT_THAT(refusal_of(brackets(33)), HasSubstr("deeper than 32 levels (byte 32)."));
    std::string objects;
    for (int i = 0; i < 33; ++i) objects += "{\"a\":";
    EXPECT_THAT(refusal_of(objects), HasSubstr("deeper than 32"));
}

// The next two tests measure time. Quadratic work takes minutes here, so a generous limit still
// detects it. They measure the thread's CPU time, so that a paused machine does not fail them.
TEST(Json, RefusesDeepNestingAtOnce)
{
    const std::string text(100000, '[');
    const auto begin = thread_time();
    EXPECT_FALSE(parse(text));
    EXPECT_LT(thread_time() - begin, std::chrono::seconds(2));
}

TEST(Json, ReadsAnObjectOfManyKeysInLinearTime)
{
    std::string text = "{";
    for (int i = 0; i < 100000; ++i) text += "\"key" + std::to_string(i) + "\":1,";
    const auto begin = thread_time();
    EXPECT_THAT(refusal_of(text + "\"key500\":1}"), HasSubstr("duplicate key \"key500\""));
    const auto parsed = parse(text + "\"last\":1}");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->as_object().size(), 100001);
    EXPECT_LT(thread_time() - begin, std::chrono::seconds(5));
}

// The last keys share one or two buckets of the object if the hash begins in this way.
std::string object_with_full_bucket(std::uint64_t salt)
{
    constexpr std::uint64_t offset = 0xcbf29ce484222325;
    constexpr std::uint64_t prime = 0x100000001B3;
    constexpr std::uint64_t buckets = 5395;  // An object has as many from 3,598 keys on.
    std::string text = "{";
    for (int i = 0; i < 4000; ++i) text += "\"usual" + std::to_string(i) + "\":1,";
    std::size_t keys = 0;
    for (std::uint64_t number = 0; keys < 200; ++number) {
        std::string key;
        std::uint64_t hash = offset + salt;
        for (std::uint64_t rest = number, i = 0; i < 6; ++i, rest /= 28) {
            key += static_cast<char>('#' + rest % 28);  // None of them needs an escape.
            hash = (hash ^ static_cast<unsigned char>(key.back())) * prime;
        }
        if (hash % buckets != 7) continue;
        ++keys;
        text += '"' + key + "\":1,";
    }
    text.back() = '}';
    return text;
}

// Boost adds an address to the hash. Only its low bits matter to these keys.
TEST(Json, RefusesKeysThatShareABucket)
{
    std::size_t refused = 0;
    for (const std::uint64_t salt : {0, 8, 16, 24, 32, 40, 48, 56}) {
        const std::string refusal = refusal_of(object_with_full_bucket(salt));
        if (refusal.find("too many keys with the same hash") != std::string::npos) ++refused;
    }
    EXPECT_GT(refused, 0);
}

// Otherwise a body of 16 MiB would take 128 MiB and more.
TEST(Json, ReadsAsManyValuesAsFitIntoAMebibyteAndNoMore)
{
    const auto array_of = [](std::size_t count) {
        std::string text = "[1";
        for (std::size_t i = 1; i < count; ++i) text += ",1";
        return text + "]";
    };
    EXPECT_TRUE(parse(array_of(max_values - 1))) << "the array itself is a value, too";
    const auto refused = parse(array_of(max_values));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::invalid_json);
    EXPECT_THAT(refused.error().message, HasSubstr("more than 600000 values"));
    EXPECT_TRUE(parse("\"" + std::string(16'000'000, 'x') + "\""));
}

TEST(Json, GivesTheNearestDouble)
{
    EXPECT_EQ(parse("0.1")->as_double(), 0.1);
    EXPECT_EQ(parse("8.41e21")->as_double(), 8.41e21);
    EXPECT_EQ(parse("9007199254740993.0")->as_double(), 9007199254740992.0);
    EXPECT_EQ(parse("2.2250738585072011e-308")->as_double(), 2.2250738585072011e-308);
    EXPECT_EQ(parse("1.7976931348623157e308")->as_double(), 1.7976931348623157e308);
    EXPECT_EQ(parse("1e-400")->as_double(), 0.0);
    EXPECT_EQ(parse("0e999")->as_double(), 0.0);
    EXPECT_EQ(parse("123456789012345678901234567890")->as_double(),
              123456789012345678901234567890.0);
}

TEST(Json, QuotesTextSoThatItReadsBackTheSame)
{
    std::string text;
    for (int byte = 0; byte < 0x80; ++byte) text += static_cast<char>(byte);
    text += "ä€😀\u2028";
    std::string quoted;
    append_quoted(quoted, text);
    EXPECT_EQ(std::string_view(parse(quoted)->as_string()), text);
}

TEST(Json, QuotesBrokenTextAsValidJson)
{
    std::string quoted;
    append_quoted(quoted, "a\xFFz\xE2\x82");
    EXPECT_EQ(quoted, "\"a\uFFFDz\uFFFD\uFFFD\"");
}

}  // namespace
}  // namespace parley::json
