#include "moving/bounds.hpp"
#include "moving/conversations_for_tests.hpp"

namespace parley::moving {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Parley, IsReadAsItIs)
{
    const auto conversation =
        read(Format::parley,
             R"({"session":{"id":"ses_1","title":"Own","instructions":"Short.","model":"m",
                 "archived":true,"keep":true,"metadata":{"k":"v"},
                 "created_at":"2026-01-31T09:30:00.000Z","updated_at":"2026-02-01T09:30:00.000Z"},
                 "messages":[{"id":"msg_1","parent_id":null,"role":"user","metadata":{"a":"b"},
                 "content":[{"type":"text","text":"Hi"},{"type":"text","text":"there"}],
                 "created_at":"2026-01-31T09:30:01.000Z"},
                 {"id":"msg_2","parent_id":"msg_1","role":"assistant","model":"m",
                 "stop_reason":"max_tokens","content":[{"type":"text","text":""}]}]})")
            .value();
    EXPECT_THAT(messages_of(conversation), ElementsAre("-:u:[Hi][there]", "0:a:[]"));
    EXPECT_EQ(conversation.title, "Own");
    EXPECT_EQ(conversation.instructions, "Short.");
    EXPECT_EQ(conversation.model, "m");
    EXPECT_TRUE(conversation.archived && conversation.keep);
    EXPECT_EQ(conversation.metadata.at("k"), "v");
    EXPECT_EQ(conversation.messages[0].metadata.at("a"), "b");
    EXPECT_EQ(conversation.messages[1].stop_reason, StopReason::max_tokens);
    EXPECT_EQ(conversation.newest, 1U);
    EXPECT_FALSE(read(Format::parley, R"({"session":{}})"));
    EXPECT_FALSE(read(Format::parley, R"({"messages":[]})"));
}

TEST(Parley, KeepsWhichAnswersWereInAFormat)
{
    const auto answer = [](const std::string& id, const std::string& parent,
                           const std::string& more) {
        return R"({"id":")" + id + R"(","parent_id":")" + parent +
               R"(","role":"assistant","content":[{"type":"text","text":"{}"}])" + more + "}";
    };
    const auto structured = [&](const std::string& answers) {
        std::vector<bool> told;
        const auto conversation =
            read(Format::parley, R"({"session":{},"messages":[{"id":"q","role":"user","output":1,)"
                                 R"("content":[{"type":"text","text":"Hi"}]},)" +
                                     answers + "]}")
                .value();
        for (const ReadMessage& each : conversation.messages) told.push_back(each.structured);
        return told;
    };
    EXPECT_THAT(structured(answer("a", "q", R"(,"output":{})") + "," +
                           answer("b", "q", R"(,"output":null)") + "," + answer("c", "q", "")),
                ElementsAre(false, true, true, false));
    EXPECT_THAT(
        structured(answer("a", "q", R"(,"output":{})") + "," + answer("b", "a", R"(,"output":{})")),
        ElementsAre(false, false))
        << "joined";
}

TEST(Parley, NamesImagesThatAreLeftOut)
{
    const auto conversation = read(Format::parley,
                                   R"({"session":{},"messages":[{"id":"q","role":"user","content":[
                 {"type":"image","url":"/v1/api/chat/images/x"},{"type":"text","text":"Look"},
                 {"type":"image","url":"/v1/api/chat/images/y"}]},
                 {"id":"r","role":"user","parent_id":"q",
                  "content":[{"type":"text","text":"[attachment not imported]"}]}]})")
                                  .value();
    EXPECT_THAT(messages_of(conversation),
                ElementsAre("-:u:[[attachment not imported]][Look][[attachment not imported]]"
                            "[[attachment not imported]]",
                            "0:a:[]"));
    EXPECT_EQ(conversation.imported, 2U);
    EXPECT_THAT(skipped_of(conversation), ElementsAre("q"));
}

TEST(Parley, LeavesOutWhatOtherRequestsCouldNotMake)
{
    const auto with = [](const std::string& session, const std::string& metadata) {
        return read(Format::parley, R"({"session":{"id":"ses_1")" + session +
                                        R"(},"messages":[{"id":"msg_1","role":"user","metadata":)" +
                                        metadata + R"(,"content":[{"type":"text","text":"Hi"}]}]})")
            .value();
    };
    const auto instructions = [](std::size_t bytes) {
        return R"(,"instructions":")" + std::string(bytes, 'x') + "\"";
    };
    EXPECT_EQ(with(instructions(65'536), "{}").instructions->size(), 65'536U);
    EXPECT_THAT(skipped_of(with(instructions(65'537), "{}")), ElementsAre("ses_1"));
    EXPECT_EQ(with(instructions(65'537), "{}").instructions, std::nullopt);
    std::string entries;
    for (int i = 0; i < 16; ++i) entries += "\"k" + std::to_string(i) + "\":\"v\",";
    entries.pop_back();
    EXPECT_THAT(with("", "{" + entries + "}").messages.at(0).metadata, SizeIs(16));
    EXPECT_THAT(skipped_of(with("", "{" + entries + ",\"k\":\"v\"}")), ElementsAre("msg_1"));
    EXPECT_THAT(skipped_of(with(",\"metadata\":{\"\":\"v\"}", "{}")), ElementsAre("ses_1"));
    const std::string longest(512, 'x');
    EXPECT_THAT(skipped_of(with("", "{\"k\":\"" + longest + "\"}")), IsEmpty());
    EXPECT_THAT(skipped_of(with("", "{\"k\":\"" + longest + "x\"}")), ElementsAre("msg_1"));
}

TEST(Parley, HasNoOutputThatNoModelCouldWrite)
{
    const auto with = [](std::size_t bytes) {
        return read(Format::parley, R"({"session":{},"messages":[{"id":"a","role":"assistant",)"
                                    R"("output":"","content":[{"type":"text","text":")" +
                                        std::string(bytes, 'x') + R"("}]}]})")
            .value();
    };
    EXPECT_TRUE(with(max_output_bytes).messages.at(0).structured);
    const auto longer = with(max_output_bytes + 1);
    EXPECT_FALSE(longer.messages.at(0).structured);
    EXPECT_THAT(skipped_of(longer), ElementsAre("a"));
}

}  // namespace
}  // namespace parley::moving
