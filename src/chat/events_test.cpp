#include "chat/events.hpp"

#include "api/wire/event.hpp"
#include "fields/write.hpp"

#include <gtest/gtest.h>

namespace parley::chat {
namespace {

const std::vector<std::string> odd_texts = {"Hel",
                                            "",
                                            std::string("\0\n\"\\", 4),
                                            "\xF0\x9F\x98\x80",
                                            " event: x",
                                            "dd",
                                            "id: 2\nevent: message.delta\ndata: {}\n\n"};

TEST(Events, DeltasHaveTheShapeThatTheirDeclarationSays)
{
    const std::string text = "line\nfeed \"quotes\" \\ \r\t " + std::string(1, '\0') + "é";
    const api::DeltaEvent declared{
        .sequence_number = 7, .message_id = "msg_1", .delta = {.text = text}};
    EXPECT_EQ(*frame_of(delta_event(7, text), "msg_1"),
              "id: 7\nevent: message.delta\ndata: " + fields::write(declared) + "\n\n");
}

TEST(Events, NoTextBreaksAFrame)
{
    const std::string evil = "a\r\n\r\nid: 99\nevent: run.completed\ndata: {}\n\n";
    const std::string frame = *frame_of(delta_event(3, evil), "msg_1");
    EXPECT_EQ(frame.find("\n\n"), frame.size() - 2);
    EXPECT_EQ(frame.find('\r'), frame.npos);
}

TEST(Events, ComeBackFromTheJournalAsTheyWere)
{
    std::vector<RunEvent> events{created_event(1, {})};
    for (const std::string& text : odd_texts)
        events.push_back(delta_event(static_cast<std::int64_t>(events.size()) + 1, text));
    for (const RunEvent& event : events) {
        const RunEvent again = event_of_record(event.number, *journal_record(event));
        EXPECT_EQ(again.number, event.number);
        EXPECT_EQ(again.type, event.type);
        EXPECT_EQ(*again.bytes, *event.bytes);
    }
}

TEST(Events, OfVersion01AreRead)
{
    for (const std::string& text : odd_texts) {
        const std::string frame = *frame_of(delta_event(2, text), "msg_1");
        for (const RunEvent& read : {event_of_record(2, frame), event_of_frame(2, frame)}) {
            EXPECT_EQ(read.type, RunEvent::Type::delta);
            EXPECT_EQ(*read.bytes, text);
            EXPECT_EQ(*frame_of(read, "msg_1"), frame);
        }
    }
    const RunEvent created = created_event(1, {});
    EXPECT_EQ(event_of_record(1, *created.bytes).type, RunEvent::Type::created);
    EXPECT_EQ(*event_of_record(1, *created.bytes).bytes, *created.bytes);
    for (const std::string broken :
         {"", "garbage", "id: 1\nevent: message.delta\ndata: {\"delta\":1}\n\n"})
        EXPECT_NE(event_of_frame(3, broken).type, RunEvent::Type::delta);
}

TEST(Events, TheLastOneIsNamedByTheStatus)
{
    api::RunView run;
    run.status = RunStatus::interrupted;
    const RunEvent last = ended_event(9, run);
    EXPECT_EQ(last.type, RunEvent::Type::ended);
    EXPECT_TRUE(last.bytes->starts_with(
        "id: 9\nevent: run.interrupted\ndata: {\"type\":\"run.interrupted\","
        "\"sequence_number\":9,\"run\":{"));
}

}  // namespace
}  // namespace parley::chat
