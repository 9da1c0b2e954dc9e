#include "chat/kept_events.hpp"

#include "chat/chat_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::chat {
namespace {

using namespace std::string_literals;

class KeptEventsTest : public testing::Test {
protected:
    // A run with these pieces, and all its events as they were sent.
    void tell(const std::vector<std::string>& said, std::vector<std::string> pieces)
    {
        whole = {};
        whole.run = {.id = "run_1", .session = "ses_1", .question = "msg_1", .answer = "msg_2"};
        whole.question = {.id = "msg_1", .session = "ses_1", .parts = said};
        deltas = {};
        events.clear();
        events.push_back(created_event(1, view(whole, errors)));
        std::string text;
        for (const std::string& piece : pieces) {
            events.push_back(delta_event(static_cast<std::int64_t>(events.size()) + 1, piece));
            deltas.add(piece.size());
            text += piece;
        }
        whole.run.status = RunStatus::completed;
        whole.answer = store::Message{
            .id = "msg_2", .session = "ses_1", .speaker = Speaker::assistant, .parts = {text}};
        events.push_back(
            ended_event(static_cast<std::int64_t>(events.size()) + 1, view(whole, errors)));
        kept = keep_events(whole, events.front(), deltas, events.back());
        frames.clear();
        for (const RunEvent& event : events) frames.push_back(*frame_of(event, "msg_2"));
    }
    // All frames after a number, read in steps of this many bytes.
    std::vector<std::string> told(std::int64_t after, std::size_t max_bytes)
    {
        auto reader = KeptEvents::open(kept, whole);
        std::vector<std::string> all;
        for (;;) {
            const auto some =
                reader->next(whole, after + static_cast<std::int64_t>(all.size()), max_bytes);
            EXPECT_TRUE(some);
            if (!some || some->empty()) return all;
            std::size_t bytes = 0;
            for (const RunEvent& event : *some) {
                bytes += event.cost();
                all.push_back(*frame_of(event, "msg_2"));
            }
            EXPECT_TRUE(bytes <= max_bytes || some->size() == 1);
        }
    }
    void expect_the_same()
    {
        const auto last = static_cast<std::int64_t>(frames.size());
        for (const std::size_t max_bytes :
             {std::size_t{0}, std::size_t{400}, std::size_t{1} << 20U})
            for (const std::int64_t after : {std::int64_t{0}, std::int64_t{1}, last / 2, last - 1})
                EXPECT_EQ(told(after, max_bytes),
                          std::vector(frames.begin() + after, frames.end()));
        EXPECT_TRUE(told(last, 100).empty());
        EXPECT_TRUE(told(last + 5, 100).empty());
    }

    const PlainErrors errors;
    store::RunWithMessages whole;
    DeltaSizes deltas;
    std::vector<RunEvent> events;
    std::vector<std::string> frames;
    std::string kept;
};

TEST_F(KeptEventsTest, GiveTheSameBytesAgain)
{
    tell({"Hi"}, {"Hel", "lo"});
    expect_the_same();
    tell({"Hi"}, {});
    expect_the_same();
    tell({"one", std::string(200, 'q'), "three"}, {std::string(5000, 'x'), "\xC3\xA9", "\n\t\"\\"});
    expect_the_same();
}

TEST_F(KeptEventsTest, AreNotMisledByTextsThatLookLikeEvents)
{
    const std::string quote = R"(","text":"{\"text\":\"Hello there, everybody\"}")";
    const std::string many(2000, '"');
    tell({quote + quote, many, quote}, {quote, many, quote + quote});
    expect_the_same();
    tell({"Hello there, everybody"}, {"Hello there, everybody"});
    expect_the_same();
    tell({R"("text":"Hello there, everybody")"}, {R"("text":)", R"("Hello there, everybody")"});
    expect_the_same();
    tell({"a\0b"s + std::string(100, '\x01')}, {"\x01", std::string(100, '\0')});
    expect_the_same();
}

TEST_F(KeptEventsTest, TakeLittleMoreThanAByteForADelta)
{
    std::vector<std::string> pieces;
    for (int i = 0; i < 10'000; ++i) pieces.push_back(" w" + std::to_string(i));
    tell({"Hi"}, pieces);
    EXPECT_LT(kept.size(), 3000U);
    expect_the_same();
    // They do not repeat a long question, or a long answer in one piece, either.
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919);
    tell({text}, {text});
    EXPECT_LT(kept.size(), 1500U);
    expect_the_same();
}

TEST_F(KeptEventsTest, AreNotReadWhereTheyWereDamaged)
{
    tell({"Hello there, dear assistant"}, {"Hel", "lo"});
    EXPECT_FALSE(KeptEvents::open("", whole));
    EXPECT_FALSE(KeptEvents::open("\x02" + kept.substr(1), whole));
    for (std::size_t size = 0; size < kept.size(); ++size)
        EXPECT_FALSE(KeptEvents::open(kept.substr(0, size), whole));
    // The events of another run, with shorter texts.
    auto events = KeptEvents::open(kept, whole);
    whole.answer->parts = {"Hell"};
    EXPECT_FALSE(events->next(whole, 0, 100'000));
    events = KeptEvents::open(kept, whole);
    whole.answer.reset();
    EXPECT_FALSE(events->next(whole, 0, 100'000));
    whole.question.parts.clear();
    EXPECT_FALSE(KeptEvents::open(kept, whole));
}

}  // namespace
}  // namespace parley::chat
