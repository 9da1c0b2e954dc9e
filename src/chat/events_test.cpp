#include "chat/events.hpp"

#include "api/wire/event.hpp"
#include "base/field_write.hpp"

#include <gtest/gtest.h>

namespace parley::chat {
namespace {

TEST(Events, DeltasHaveTheShapeThatTheirDeclarationSays)
{
    const std::string text = "line\nfeed \"quotes\" \\ \r\t " + std::string(1, '\0') + "é";
    const api::DeltaEvent declared{
        .sequence_number = 7, .message_id = "msg_1", .delta = {.text = text}};
    EXPECT_EQ(*delta_event(7, "msg_1", text),
              "id: 7\nevent: message.delta\ndata: " + wire::write(declared) + "\n\n");
}

TEST(Events, NothingThatIsSaidBreaksAFrame)
{
    const std::string evil = "a\r\n\r\nid: 99\nevent: run.completed\ndata: {}\n\n";
    const std::string frame = *delta_event(3, "msg_1", evil);
    EXPECT_EQ(frame.find("\n\n"), frame.size() - 2);
    EXPECT_EQ(frame.find('\r'), frame.npos);
}

TEST(Events, TheTextOfADeltaCanBeReadBack)
{
    for (const std::string& text : {std::string("Hel"), std::string("\0\n\"\\", 4),
                                    std::string("\xF0\x9F\x98\x80"), std::string(" event: x")})
        EXPECT_EQ(text_in(*delta_event(2, "msg_1", text)), text);
    EXPECT_EQ(text_in(*created_event(1, {})), "");
    EXPECT_EQ(text_in("garbage"), "");
    EXPECT_EQ(text_in("id: 1\nevent: message.delta\ndata: {\"delta\":1}\n\n"), "");
}

TEST(Events, TerminalEventsAreNamedByTheStatus)
{
    api::RunView run;
    run.status = RunStatus::interrupted;
    EXPECT_TRUE(terminal_event(9, run)->starts_with(
        "id: 9\nevent: run.interrupted\ndata: {\"type\":\"run.interrupted\","
        "\"sequence_number\":9,\"run\":{"));
}

}  // namespace
}  // namespace parley::chat
