#include "moving/json_elements.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace parley::moving {
namespace {

using testing::ElementsAre;
using Texts = std::vector<std::string>;

// All objects; an error ends the list with its message.
Texts elements_of(const std::string& text, std::size_t max_bytes = 1000)
{
    std::istringstream in(text);
    JsonElements elements(in, max_bytes);
    Texts found;
    for (;;) {
        auto next = elements.next();
        if (!next && next.error().code != Errc::body_too_large) {
            found.push_back(next.error().message);
            return found;
        }
        if (next && !*next) return found;
        found.push_back(next ? **next : "too large");
    }
}

TEST(JsonElements, TakesListsLinesAndSingleObjectsApart)
{
    EXPECT_THAT(elements_of(R"([{"a":1}, {"b":{"c":[{}]}}])"),
                ElementsAre(R"({"a":1})", R"({"b":{"c":[{}]}})"));
    EXPECT_THAT(elements_of("{\"a\":1}\n{\"b\":2}\n"), ElementsAre(R"({"a":1})", R"({"b":2})"));
    EXPECT_THAT(elements_of(" {} "), ElementsAre("{}"));
    EXPECT_THAT(elements_of("[]"), ElementsAre());
    EXPECT_THAT(elements_of(""), ElementsAre());
}

TEST(JsonElements, KnowsTexts)
{
    const std::string tricky = R"({"a":"}{\"}","b\\":"\\"})";
    EXPECT_THAT(elements_of("[" + tricky + "," + tricky + "]"), ElementsAre(tricky, tricky));
}

TEST(JsonElements, SaysWhatIsWrong)
{
    EXPECT_THAT(elements_of("7"), ElementsAre("The file is not a list of JSON objects."));
    EXPECT_THAT(elements_of("{} x"), ElementsAre("{}", "The file is not a list of JSON objects."));
    EXPECT_THAT(elements_of("[{\"a\":"), ElementsAre("The file ends inside of an object."));
    EXPECT_THAT(elements_of(R"([{"a":1},{"long":"123456789"},{"b":2}])", 10),
                ElementsAre(R"({"a":1})", "too large", R"({"b":2})"));
}

// A stream whose bytes end with a failure, not with its end.
class DamagedBuffer final : public std::stringbuf {
public:
    using std::stringbuf::stringbuf;

private:
    int_type underflow() override { throw std::runtime_error("damaged"); }
};

TEST(JsonElements, AFailureIsNotTheEnd)
{
    for (const char* text : {"[{},", "[{}]", "[{"}) {
        DamagedBuffer buffer(text);
        std::istream in(&buffer);
        JsonElements elements(in, 100);
        auto next = elements.next();
        if (next && *next) next = elements.next();
        ASSERT_FALSE(next) << text;
        EXPECT_EQ(next.error().message, "The file is damaged or cannot be read.");
    }
}

TEST(JsonElements, ReadsObjectsOverBlocks)
{
    std::string text = "[";
    const std::string object = R"({"text":")" + std::string(100'000, 'x') + "\"}";
    for (int i = 0; i < 20; ++i) text += object + ",";
    EXPECT_THAT(elements_of(text + "]", 200'000), testing::Each(object));
    EXPECT_THAT(elements_of(text + "]", 200'000), testing::SizeIs(20));
}

}  // namespace
}  // namespace parley::moving
