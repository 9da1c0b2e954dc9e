#include "moving/conversations_for_tests.hpp"

namespace parley::moving {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string gpt_node(const std::string& id, const std::string& parent, const std::string& role,
                     const std::string& text, const std::string& more = "")
{
    return "\"" + id + R"(":{"id":")" + id + R"(","parent":)" +
           (parent.empty() ? "null" : "\"" + parent + "\"") + R"(,"message":{"author":{"role":")" +
           role + R"("},"content":{"content_type":"text","parts":[")" + text + R"("]})" + more +
           "}}";
}

std::string gpt(const std::string& nodes, const std::string& more = "")
{
    return R"({"title":"T","conversation_id":"c1","create_time":1690000000.25,"mapping":{)" +
           nodes + "}" + more + "}";
}

TEST(ChatGpt, HasNoTimesThatCannotBeStored)
{
    const auto far =
        read(Format::chatgpt,
             R"({"title":"T","create_time":9214646400,"mapping":{)" +
                 gpt_node("q", "", "user", "Hi", R"(,"create_time":253402300799)") + "}}");
    EXPECT_EQ(far.value().created_at, now);
    EXPECT_EQ(far.value().messages[0].created_at, now);
}

TEST(ChatGpt, IsReadWithBranchesTimesAndModels)
{
    const auto read_one =
        read(
            Format::chatgpt,
            gpt(R"("root":{"id":"root","message":null,"parent":null},)" +
                    gpt_node("s", "root", "system", "") + "," +
                    gpt_node("q", "s", "user", "Hi", R"(,"create_time":1690000001.5)") + "," +
                    gpt_node("a", "q", "assistant", "Hello",
                             R"(,"metadata":{"model_slug":"gpt-4"})") +
                    "," + gpt_node("b", "q", "assistant", "Hey"),
                R"(,"update_time":1690000009,"is_archived":true,"current_node":"a","default_model_slug":"auto")"))
            .value();
    EXPECT_THAT(messages_of(read_one), ElementsAre("-:u:[Hi]", "0:a:[Hello]", "0:a:[Hey]"));
    EXPECT_THAT(skipped_of(read_one), ElementsAre("root", "s"));
    EXPECT_EQ(read_one.imported, 3U);
    EXPECT_EQ(read_one.newest, 1U);
    EXPECT_EQ(read_one.title, "T");
    EXPECT_EQ(read_one.source_id, "c1");
    EXPECT_TRUE(read_one.archived);
    EXPECT_EQ(read_one.created_at, TimePoint(std::chrono::milliseconds(1'690'000'000'250)));
    EXPECT_EQ(read_one.updated_at, TimePoint(std::chrono::seconds(1'690'000'009)));
    EXPECT_EQ(read_one.messages[0].created_at,
              TimePoint(std::chrono::milliseconds(1'690'000'001'500)));
    EXPECT_EQ(read_one.messages[1].created_at, read_one.created_at);
    EXPECT_EQ(read_one.messages[0].model, std::nullopt);
    EXPECT_EQ(read_one.messages[1].model, "gpt-4");
    EXPECT_EQ(read_one.messages[2].model, "auto");
}

TEST(ChatGpt, JoinsNeighboursAroundTools)
{
    const auto conversation =
        read(
            Format::chatgpt,
            gpt(gpt_node("q", "", "user", "Draw") + "," + gpt_node("a", "q", "assistant", "Wait.") +
                "," + gpt_node("c", "a", "assistant", "call", R"(,"recipient":"dalle")") + "," +
                gpt_node("t", "c", "tool", "result") + "," +
                gpt_node("z", "t", "assistant", "Done.")))
            .value();
    EXPECT_THAT(messages_of(conversation), ElementsAre("-:u:[Draw]", "0:a:[Wait.][Done.]"));
    EXPECT_EQ(conversation.imported, 3U);
    EXPECT_THAT(skipped_of(conversation), ElementsAre("c", "t"));
}

TEST(ChatGpt, PutsAnEmptyMessageBetweenBranchesOfOneRole)
{
    const auto conversation = read(Format::chatgpt, gpt(gpt_node("a", "", "user", "One") + "," +
                                                        gpt_node("b", "a", "user", "Two") + "," +
                                                        gpt_node("c", "a", "assistant", "Three")))
                                  .value();
    EXPECT_THAT(messages_of(conversation),
                ElementsAre("-:u:[One]", "0:a:[]", "1:u:[Two]", "0:a:[Three]"));
    EXPECT_EQ(conversation.imported, 3U);
    EXPECT_THAT(conversation.skipped, IsEmpty());
}

TEST(ChatGpt, SurvivesCyclesAndMissingParents)
{
    const auto conversation = read(Format::chatgpt, gpt(gpt_node("a", "b", "user", "x") + "," +
                                                        gpt_node("b", "a", "assistant", "y") + "," +
                                                        gpt_node("s", "s", "user", "self") + "," +
                                                        gpt_node("o", "nowhere", "user", "orphan") +
                                                        R"(,"n":7,"e":{},"m":{"message":{}})"))
                                  .value();
    EXPECT_THAT(messages_of(conversation), ElementsAre("-:u:[orphan]", "0:a:[]"));
    EXPECT_THAT(skipped_of(conversation), ElementsAre("a", "b", "e", "m", "n", "s"));
    EXPECT_EQ(conversation.newest, 1U);
}

TEST(ChatGpt, NamesAttachmentsThatAreLeftOut)
{
    const auto conversation =
        read(Format::chatgpt,
             gpt(R"("q":{"message":{"author":{"role":"user"},"content":{"content_type":)"
                 R"("multimodal_text","parts":[{"content_type":"image_asset_pointer"},"Look"]}}},)"
                 R"("r":{"message":{"author":{"role":"assistant"},"content":{"content_type":)"
                 R"("thoughts","thoughts":[]}}},"w":{"message":{"author":{"role":"user"},)"
                 R"("content":{"content_type":"text","parts":[""]}}})"))
            .value();
    EXPECT_THAT(messages_of(conversation),
                ElementsAre("-:u:[[attachment not imported]][Look]", "0:a:[]"));
    EXPECT_THAT(skipped_of(conversation), ElementsAre("q", "r", "w"));
    EXPECT_EQ(conversation.imported, 1U);
}

// About as many as a body may have.
TEST(ChatGpt, ReadsAChainOfManyNodes)
{
    std::string nodes = gpt_node("n0", "", "user", "x");
    for (int i = 1; i < 50'000; ++i)
        nodes += "," + gpt_node("n" + std::to_string(i), "n" + std::to_string(i - 1),
                                i % 2 == 0 ? "user" : "assistant", "x");
    const auto conversation = read(Format::chatgpt, gpt(nodes)).value();
    EXPECT_THAT(conversation.messages, SizeIs(50'000));
    EXPECT_EQ(conversation.newest, 49'999U);
}

TEST(ChatGpt, IsRefusedWithoutMessages)
{
    for (const char* text : {"{}", R"({"mapping":null})", R"({"mapping":[]})"}) {
        const auto refused = read(Format::chatgpt, text);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::validation_failed);
        EXPECT_EQ(refused.error().faults.at(0).where, "#/conversation/mapping");
    }
    EXPECT_THAT(read(Format::chatgpt, R"({"mapping":{}})").value().messages, IsEmpty());
}

TEST(OpenWebUi, IsReadWithBranches)
{
    const auto conversation =
        read(Format::open_webui,
             R"({"id":"w1","title":"Web","archived":true,"pinned":true,"created_at":1690000000,
                 "updated_at":1690000050,"chat":{"params":{"system":"Be kind."},"history":{
                 "currentId":"b","messages":{
                 "q":{"id":"q","parentId":null,"role":"user","content":"Hi","timestamp":1690000001},
                 "a":{"parentId":"q","role":"assistant","content":"One","model":"llama3"},
                 "b":{"parentId":"q","role":"assistant","content":"Two"},
                 "f":{"parentId":"b","role":"user","content":"","files":[{"type":"image"}]},
                 "e":{"parentId":"b","role":"assistant","content":""}}}}})")
            .value();
    EXPECT_THAT(messages_of(conversation), ElementsAre("-:u:[Hi]", "0:a:[One]", "0:a:[Two]",
                                                       "2:u:[[attachment not imported]]"));
    EXPECT_THAT(skipped_of(conversation), ElementsAre("e", "f"));
    EXPECT_EQ(conversation.newest, 2U);
    EXPECT_EQ(conversation.instructions, "Be kind.");
    EXPECT_TRUE(conversation.archived && conversation.keep);
    EXPECT_EQ(conversation.messages[1].model, "llama3");
    EXPECT_EQ(conversation.updated_at, TimePoint(std::chrono::seconds(1'690'000'050)));
}

TEST(OpenWebUi, IsReadAsAList)
{
    const auto conversation =
        read(Format::open_webui, R"({"title":"L","messages":[{"role":"user","content":"Hi"},
             {"role":"assistant","content":[{"type":"text","text":"Hello"}]},7]})")
            .value();
    EXPECT_THAT(messages_of(conversation), ElementsAre("-:u:[Hi]", "0:a:[Hello]"));
    EXPECT_EQ(conversation.created_at, now);
    EXPECT_EQ(read(Format::open_webui, R"({"chat":{}})").error().faults.at(0).where,
              "#/conversation/chat/history/messages");
}

}  // namespace
}  // namespace parley::moving
