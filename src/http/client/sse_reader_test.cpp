#include "http/client/sse_reader.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

using std::chrono::milliseconds;

std::vector<SseEvent> events_in(std::string_view text)
{
    SseReader reader;
    std::vector<SseEvent> events;
    EXPECT_TRUE(reader.feed(text, events));
    return events;
}

TEST(SseReader, ReadsTheFieldsOfAnEvent)
{
    const auto events = events_in("id: 7\nevent: text\ndata: {\"a\":1}\nretry: 1500\n\n");
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].id, "7");
    EXPECT_EQ(events[0].event, "text");
    EXPECT_EQ(events[0].data, "{\"a\":1}");
    EXPECT_EQ(events[0].retry, milliseconds(1500));
}

TEST(SseReader, JoinsLinesOfData)
{
    const auto events = events_in("data: a\ndata\ndata:  b\n\n");
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].data, "a\n\n b");
    EXPECT_EQ(events[0].event, "message");
}

TEST(SseReader, TakesEveryKindOfLineEnd)
{
    const auto events = events_in("data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\n");
    ASSERT_EQ(events.size(), 4u);
    EXPECT_EQ(events[0].data + events[1].data + events[2].data + events[3].data, "abcd");
}

TEST(SseReader, ReadsTheSameHoweverTheBytesAreCut)
{
    const std::string text =
        "\xEF\xBB\xBF: hello\r\nid: 1\r\ndata: one\r\ndata: more\r\n\r\nevent: x\rdata: two\r\r"
        "retry: 20\n\ndata:three\n\n";
    const auto whole = events_in(text);
    ASSERT_EQ(whole.size(), 3u);
    for (std::size_t size = 1; size < text.size(); ++size) {
        SseReader reader;
        std::vector<SseEvent> events;
        for (std::size_t at = 0; at < text.size(); at += size)
            ASSERT_TRUE(reader.feed(std::string_view(text).substr(at, size), events));
        ASSERT_EQ(events.size(), whole.size()) << size;
        for (std::size_t i = 0; i < events.size(); ++i) {
            EXPECT_EQ(events[i].id, whole[i].id) << size;
            EXPECT_EQ(events[i].event, whole[i].event) << size;
            EXPECT_EQ(events[i].data, whole[i].data) << size;
            EXPECT_EQ(events[i].retry, whole[i].retry) << size;
        }
    }
    EXPECT_EQ(whole[0].data, "one\nmore");
    EXPECT_EQ(whole[1].event, "x");
    EXPECT_EQ(whole[2].data, "three");
}

TEST(SseReader, SkipsAByteOrderMarkAtTheVeryBeginningOnly)
{
    EXPECT_EQ(events_in("\xEF\xBB\xBF"
                        "data: a\n\n")
                  .size(),
              1u);
    EXPECT_EQ(events_in("\n\xEF\xBB\xBF"
                        "data: a\n\n")
                  .size(),
              0u);
}

TEST(SseReader, ReadsOverCommentsAndUnknownFields)
{
    EXPECT_TRUE(events_in(": ping\n\n:\n\nnoise: x\nData: y\n data: z\n\n").empty());
}

TEST(SseReader, KeepsTheIdAndForgetsTheName)
{
    const auto events = events_in("id: 1\nevent: a\ndata: x\n\ndata: y\n\nid\ndata: z\n\n");
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[1].id, "1");
    EXPECT_EQ(events[1].event, "message");
    EXPECT_EQ(events[2].id, "");
}

TEST(SseReader, AnEventWithoutDataIsNone)
{
    const auto events = events_in("id: 5\nevent: a\n\ndata: x\n\ndata:\n\n");
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].id, "5");
    EXPECT_EQ(events[0].event, "message");
    EXPECT_EQ(events[1].data, "");
}

TEST(SseReader, AnEventThatIsCutOffNeverAppears)
{
    EXPECT_TRUE(events_in("data: a\ndata: b\n").empty());
}

TEST(SseReader, IgnoresIdsAndRetriesThatAreMalformed)
{
    using namespace std::string_view_literals;
    const auto events = events_in("id: a\0b\nretry: 1x\nretry: -1\nretry: \ndata: x\n\n"sv);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].id, "");
    EXPECT_FALSE(events[0].retry);
}

TEST(SseReader, RefusesALineThatIsTooLong)
{
    SseReader reader({.line = 10, .event = 100});
    std::vector<SseEvent> events;
    EXPECT_TRUE(reader.feed("data: 1234\n\n", events));
    EXPECT_TRUE(reader.feed("data: ", events));
    EXPECT_FALSE(reader.feed("12345", events));
    EXPECT_FALSE(reader.feed("\n\ndata: 1\n\n", events));  // It does not recover.
    EXPECT_EQ(events.size(), 1u);
}

TEST(SseReader, RefusesAnEventThatIsTooLong)
{
    SseReader reader({.line = 10, .event = 7});
    std::vector<SseEvent> events;
    EXPECT_TRUE(reader.feed("data: 123\ndata: 456\n\n", events));
    EXPECT_TRUE(reader.feed("data: 123\ndata: 456\n", events));
    EXPECT_FALSE(reader.feed("data\n", events));
    EXPECT_EQ(events.size(), 1u);
}

}  // namespace
}  // namespace parley::http::client
