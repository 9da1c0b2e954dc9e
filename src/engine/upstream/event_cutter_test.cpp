#include "engine/upstream/event_cutter.hpp"

#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

using State = EventCutter::State;

constexpr std::size_t limit = 100;

// All output for input in pieces of that size; "odd" if it is refused.
std::string handed_on(std::string_view bytes, std::size_t piece, bool& ended)
{
    EventCutter cutter(limit);
    std::string all;
    for (; !bytes.empty() && cutter.state() == State::going_on;
         bytes.remove_prefix(std::min(piece, bytes.size()))) {
        const std::string_view events = cutter.feed(bytes.substr(0, piece));
        EXPECT_TRUE(events.empty() || events.ends_with("\n"));
        all += events;
    }
    ended = cutter.state() == State::ended;
    return cutter.state() == State::odd ? "odd" : all;
}

void expect(std::string_view bytes, std::string_view expected, bool ends)
{
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, bytes.size()}) {
        bool ended = false;
        EXPECT_EQ(handed_on(bytes, piece, ended), expected) << bytes << " by " << piece;
        EXPECT_EQ(ended, ends) << bytes;
    }
}

TEST(EventCutter, HandsWholeEventsOn)
{
    expect("data: {}\n\n", "data: {}\n\n", false);
    expect("data: {}\n\ndata: {\"a\":", "data: {}\n\n", false);
    expect("event: x\r\nid: 1\r\ndata:{\"é\":1}\r\n\r\n: ping\n\nretry: 5\n\n",
           "event: x\r\nid: 1\r\ndata:{\"é\":1}\r\n\r\n: ping\n\nretry: 5\n\n", false);
    expect("data: {}", "", false);
}

TEST(EventCutter, EndsWithTheLastEvent)
{
    expect("data: {}\n\ndata: [DONE]\n\n", "data: {}\n\ndata: [DONE]\n\n", true);
    expect("data:[DONE]\r\n\r\n", "data:[DONE]\r\n\r\n", true);
    EventCutter cutter(limit);
    EXPECT_EQ(cutter.feed("data: [DONE]\n\ndata: {}\n\nwhatever\n\n"), "data: [DONE]\n\n");
    EXPECT_EQ(cutter.state(), State::ended);
}

TEST(EventCutter, RefusesWhatIsNoSuchStream)
{
    bool ended = false;
    for (const char* bytes : {"<html>\n\n", "data: {\n\n", "data: x\n\n", "data:\n\n",
                              "data: [done]\n\n", "data: {\"a\":\"\xff\"}\n\n", "dat: {}\n\n"})
        EXPECT_EQ(handed_on(bytes, 3, ended), "odd") << bytes;
}

TEST(EventCutter, HoldsNoMoreThanItMay)
{
    EventCutter cutter(limit);
    const std::string line(limit - 10, 'x');
    EXPECT_TRUE(cutter.feed(line).empty());
    EXPECT_EQ(cutter.state(), State::going_on);
    EXPECT_TRUE(cutter.feed("01234567890").empty());
    EXPECT_EQ(cutter.state(), State::odd);
}

TEST(EventCutter, TellsTheFirstDataOnce)
{
    EventCutter cutter(limit);
    cutter.feed(": hello\n\n");
    EXPECT_EQ(cutter.first_data(), "");
    cutter.feed("data: {\"error\":1}\n\ndata: {}\n\n");
    EXPECT_EQ(cutter.first_data(), "{\"error\":1}");
    cutter.feed("data: {}\n\n");
    EXPECT_EQ(cutter.first_data(), "");
}

}  // namespace
}  // namespace parley::engine::upstream
