// The contract tests of images in messages: stored once for each owner, and deleted with the last
// message that has them.
#include "store/chat_contract_fixture.hpp"
#include "store/moving.hpp"

namespace parley::store {
namespace {

class ImagesContract : public ChatContractTest {
protected:
    // Any text: the store does not look at hashes and bytes.
    static Image image(const std::string& name, const std::string& bytes = "\x89PNG\0\xff"s)
    {
        return {.sha256 = name, .media_type = "image/png", .bytes = bytes};
    }
    NewRun showing(NewRun wanted, const std::vector<Image>& images)
    {
        for (const Image& each : images)
            wanted.question->images.push_back({.after = 1, .sha256 = each.sha256});
        wanted.images = images;
        return wanted;
    }
    RunWithMessages shown(const Session& session, const std::vector<Image>& images)
    {
        const RunWithMessages begun = begin(showing(new_run(session), images)).value().whole;
        EXPECT_TRUE(finish(begun));
        return begun;
    }
    Result<Image> get(const Owner& owner, const std::string& name)
    {
        return block_on(messages().find_image(owner, name));
    }
    bool has(const Owner& owner, const std::string& name)
    {
        const auto size = block_on(messages().image_size(owner, name));
        EXPECT_EQ(size.has_value(), get(owner, name).has_value());
        if (!size) EXPECT_EQ(size.error().code, Errc::not_found);
        return size.has_value();
    }
    void remove(const Session& session)
    {
        ASSERT_TRUE(block_on(sessions().remove_session(session.owner, session.id)));
    }
};

TEST_F(ImagesContract, AreGivenBackToTheirOwnerAlone)
{
    const Session session = created(anas);
    NewRun wanted = showing(new_run(session), {image("one"), image("two", "GIF89a")});
    wanted.question->images.push_back({.after = 0, .sha256 = "one"});
    wanted.images[1].media_type = "image/gif";
    const RunWithMessages begun = begin(wanted).value().whole;
    const std::vector<ImageRef> refs{{.after = 1, .sha256 = "one", .media_type = "image/png"},
                                     {.after = 1, .sha256 = "two", .media_type = "image/gif"},
                                     {.after = 0, .sha256 = "one", .media_type = "image/png"}};
    EXPECT_EQ(begun.question.images, refs);
    EXPECT_EQ(found(begun.question, anas).message.images, refs);
    ASSERT_TRUE(finish(begun));
    EXPECT_TRUE(found(begun).answer->images.empty());

    EXPECT_EQ(get(anas, "one").value(), wanted.images[0]);
    EXPECT_EQ(get(anas, "two").value(), wanted.images[1]);
    EXPECT_EQ(block_on(messages().image_size(anas, "two")).value(), 6U);
    for (const Owner& other : {bens, anas_test}) EXPECT_FALSE(has(other, "one"));
    EXPECT_EQ(get(anas, "none").error().code, Errc::not_found);
}

TEST_F(ImagesContract, CanBeReferredToByLaterMessages)
{
    const Session session = created(anas);
    shown(session, {image("one", "first")});
    // The same hash is the same image.
    shown(session, {image("one", "other")});
    EXPECT_EQ(get(anas, "one").value().bytes, "first");

    NewRun again = new_run(session);
    again.question->images = {{.after = 0, .sha256 = "one"}};
    EXPECT_EQ(begin(again).value().whole.question.images.at(0).media_type, "image/png");
    const Session of_ben = created(bens);
    NewRun strange = new_run(of_ben);
    strange.question->images = {{.after = 0, .sha256 = "one"}};
    EXPECT_EQ(begin(strange).error().code, Errc::not_found);
    EXPECT_EQ(found(of_ben).message_count, 0);
}

TEST_F(ImagesContract, AreStoredOnlyIfAMessageHasThem)
{
    NewRun wanted = first_run(anas);
    wanted.earlier = {{.id = "msg_1", .parts = {"Hi"}, .images = {{.after = 1, .sha256 = "old"}}},
                      {.id = "msg_2", .speaker = Speaker::assistant, .parts = {"Hello"}}};
    wanted.images = {image("old"), image("unused")};
    ASSERT_TRUE(begin(wanted));
    EXPECT_TRUE(has(anas, "old"));
    EXPECT_FALSE(has(anas, "unused"));
    const auto earlier = block_on(messages().find_message(anas, "msg_1")).value();
    EXPECT_EQ(earlier.message.images.at(0).media_type, "image/png");

    NewRun refused = showing(new_run(*wanted.new_session, ReplyTo{"msg_none"}), {image("new")});
    EXPECT_EQ(begin(refused).error().code, Errc::not_found);
    EXPECT_FALSE(has(anas, "new")) << "a refusal leaves no image behind";
}

TEST_F(ImagesContract, GoWithTheLastSessionThatHasThem)
{
    const Session first = created(anas);
    const Session second = created(anas);
    const Session of_ben = created(bens);
    shown(first, {image("both"), image("first")});
    shown(second, {image("both")});
    shown(of_ben, {image("both")});

    remove(first);
    EXPECT_FALSE(has(anas, "first"));
    EXPECT_TRUE(has(anas, "both"));
    remove(second);
    EXPECT_FALSE(has(anas, "both"));
    EXPECT_TRUE(has(bens, "both"));

    const Session third = created(anas);
    shown(third, {image("both", "again")});
    EXPECT_EQ(get(anas, "both").value().bytes, "again");
}

TEST_F(ImagesContract, GoWithTheLastRunThatHasThem)
{
    const Session session = created(anas);
    const auto first = shown(session, {image("both"), image("first")});
    const auto second = shown(session, {image("both"), image("second")});
    const auto remove_run = [&](const RunWithMessages& run) {
        return block_on(runs().remove_run(anas, run.run.id, later(), {})).value().removed_session;
    };
    EXPECT_FALSE(remove_run(second));
    EXPECT_FALSE(has(anas, "second"));
    EXPECT_TRUE(has(anas, "both") && has(anas, "first"));
    EXPECT_TRUE(remove_run(first));
    EXPECT_FALSE(has(anas, "both") || has(anas, "first"));
}

// Records the images of an export.
class ExportedImages final : public ExportSink {
public:
    void begin() override { images.clear(); }
    void user(const User& /*user*/) override {}
    void session(const Session& /*session*/) override {}
    void message(const Message& /*message*/) override {}
    void image(const Image& image) override { images.push_back(image); }
    void automation(const Automation& /*automation*/) override {}
    void webhook(const Webhook& /*webhook*/) override {}
    bool is_full() const override { return false; }

    std::vector<Image> images;
};

TEST_F(ImagesContract, AreExportedOnce)
{
    const Session first = created(anas);
    const Session second = created(anas);
    const Session of_ben = created(bens);
    shown(first, {image("one"), image("two")});
    shown(second, {image("two")});
    shown(of_ben, {image("three")});
    const auto exported = [&](std::optional<std::string> session) {
        const auto sink = std::make_shared<ExportedImages>();
        EXPECT_TRUE(block_on(store->moving().export_data(anas, std::move(session), sink)));
        return sink->images;
    };
    EXPECT_EQ(exported({}), (std::vector<Image>{image("one"), image("two")}));
    EXPECT_EQ(exported(second.id), std::vector<Image>{image("two")});
}

TEST_F(ImagesContract, GoWithTheirUser)
{
    const Session session = created(anas);
    const Session of_ben = created(bens);
    shown(session, {image("one")});
    shown(of_ben, {image("one")});
    ASSERT_TRUE(block_on(store->accounts().remove_user(ana.id)));
    EXPECT_FALSE(has(anas, "one"));
    EXPECT_TRUE(has(bens, "one"));
}

}  // namespace
}  // namespace parley::store
