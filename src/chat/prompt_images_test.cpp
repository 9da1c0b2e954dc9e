#include "chat/prompt_images.hpp"

#include "chat/chat_for_tests.hpp"
#include "chat/history.hpp"
#include "chat/images.hpp"

#include <boost/asio/this_coro.hpp>

namespace parley::chat {
namespace {

// Repeats the message, and records the turns of each prompt.
class SeeingEngine final : public engine::Engine {
public:
    std::int64_t context() const override { return 32'768; }
    std::int64_t longest_token() const override { return 4; }
    bool can_continue() const override { return false; }
    engine::Capabilities capabilities() const override { return {.vision = true}; }
    Task<Result<std::vector<std::int64_t>>> count(std::vector<engine::Turn> turns) override
    {
        std::vector<std::int64_t> counts;
        for (const engine::Turn& turn : turns)
            counts.push_back(std::ssize(turn.text) + std::ssize(turn.images) * 1024);
        co_return counts;
    }
    Task<Result<std::unique_ptr<engine::Reply>>> start(engine::Prompt prompt,
                                                       std::string so_far) override
    {
        seen.push_back(prompt.turns);
        co_return co_await scripted_->start(std::move(prompt), std::move(so_far));
    }

    std::vector<std::vector<engine::Turn>> seen;

private:
    const std::unique_ptr<engine::Engine> scripted_ = engine::scripted::make_scripted_engine();
};

class PromptImagesTest : public ChatTest {
protected:
    PromptImagesTest()
    {
        auto made = std::make_unique<SeeingEngine>();
        engine = made.get();
        models.add("seeing", std::move(made));
    }

    // A GIF of this size.
    static store::Image image(std::size_t size, char filling)
    {
        std::string bytes = "GIF89a";
        bytes.resize(size, filling);
        return read_data_url(data_url({.media_type = "image/gif", .bytes = bytes})).value();
    }
    static Question showing(const std::vector<store::Image>& images,
                            std::optional<std::string> session = {})
    {
        Question question = saying("Look!");
        question.model = "seeing";
        question.session = std::move(session);
        for (const store::Image& each : images)
            question.images.push_back({.after = 1, .sha256 = each.sha256});
        question.new_images = images;
        question.place_of_images = "#/message/1/url";
        return question;
    }
    store::RunWithMessages shown(const std::vector<store::Image>& images,
                                 std::optional<std::string> session = {})
    {
        return ask(ana, showing(images, std::move(session))).value();
    }
    PromptMemory& memory() { return runs->context().image_memory; }

    SeeingEngine* engine = nullptr;
};

TEST_F(PromptImagesTest, GoToTheModelWithEveryQuestion)
{
    const store::Image one = image(20, '1');
    const store::Image two = image(30, '2');
    const auto first = shown({one});
    EXPECT_EQ(first.question.images.at(0).media_type, "image/gif");
    EXPECT_EQ(*engine->seen.at(0).at(0).images.at(0).url, data_url(one));

    shown({two, one}, first.run.session);
    const auto& turns = engine->seen.at(1);
    ASSERT_EQ(turns.size(), 3U);
    EXPECT_EQ(turns[0].text, "Look!");
    EXPECT_EQ(turns[0].images.at(0).at, 5U);
    EXPECT_EQ(*turns[0].images.at(0).url, data_url(one));
    EXPECT_EQ(*turns[2].images.at(0).url, data_url(two));
    EXPECT_EQ(*turns[2].images.at(1).url, data_url(one));
    EXPECT_EQ(memory().taken(), 0U);
}

TEST_F(PromptImagesTest, AreRefusedByAModelThatDoesNotSeeThem)
{
    Question blind = showing({image(20, '1')});
    blind.model = "scripted";
    const auto refused = ask(ana, blind);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().faults.at(0).where, "#/message/1/url");
    EXPECT_EQ(refused.error().faults.at(0).code, "unsupported_parameter");
    EXPECT_TRUE(block_on(store->sessions().list_sessions(ana, {}, {}, 10)).value().items.empty());

    const auto seen = shown({image(20, '1')});
    Question again;
    again.parent = seen.question.id;
    again.model = "scripted";
    EXPECT_EQ(ask(ana, again).error().faults.at(0).where, "#/parent_message_id");

    // A text takes their place if the conversation goes on with such a model.
    Question next = saying("And now?");
    next.session = seen.run.session;
    next.model = "scripted";
    const auto below = ask(ana, next).value();
    const auto shown_turns =
        block_on(history(*store, *models.find("scripted"), below, "")).value().turns;
    ASSERT_EQ(shown_turns.size(), 3U);
    EXPECT_EQ(shown_turns[0].text, "Look![image]");
    EXPECT_TRUE(shown_turns[0].images.empty());
}

TEST_F(PromptImagesTest, AreLeftOutIfNewerOnesTakeTheRoom)
{
    const store::Image one = image(50, '1');
    const store::Image two = image(20, '2');
    const store::Image three = image(50, '3');
    shown({one, two, three});
    const auto part = [](const store::Image& each) {
        return engine::TurnImage{5,
                                 std::make_shared<const std::string>(path_of_image(each.sha256))};
    };
    std::vector<engine::Turn> turns{{Speaker::user, "Look!", {part(one), part(two)}},
                                    {Speaker::assistant, "Oh."},
                                    {Speaker::user, "Look!", {part(three)}}};
    PromptMemory all;
    PromptImages images(*store, all, 100);
    ASSERT_TRUE(block_on(images.load(ana, turns, [] { return false; })));
    EXPECT_EQ(turns[0].text, "Look![image]");
    ASSERT_EQ(turns[0].images.size(), 1U) << "the small one";
    EXPECT_EQ(turns[0].images[0].at, 12U);
    EXPECT_EQ(*turns[0].images[0].url, data_url(two));
    EXPECT_EQ(*turns[2].images.at(0).url, data_url(three));
    EXPECT_EQ(all.taken(), 4U * 70U);

    // The images of the question itself are not left out.
    std::vector<engine::Turn> question{
        {Speaker::user, "Look!", {part(one), part(three), part(two)}}};
    EXPECT_EQ(block_on(images.load(ana, question, [] { return false; })).error().code,
              Errc::message_too_long);
    EXPECT_EQ(all.taken(), 0U);
}

TEST_F(PromptImagesTest, WaitForMemory)
{
    ASSERT_TRUE(memory().take(ana.user, PromptMemory::of_user));
    EXPECT_FALSE(memory().take(ana.user, 1));
    ASSERT_TRUE(memory().take("ben", PromptMemory::of_user)) << "half of it is for others";
    EXPECT_FALSE(memory().take("cleo", 1));
    memory().give_back("ben", PromptMemory::of_user);
    const auto waited = [&]() -> Task<store::RunWithMessages> {
        const auto asked = co_await questions->ask(ana, showing({image(20, '1')}));
        EXPECT_FALSE((co_await asked->run.wait_for_end(100ms)).value());
        EXPECT_TRUE(engine->seen.empty());
        memory().give_back(ana.user, PromptMemory::of_user);
        EXPECT_TRUE((co_await asked->run.wait_for_end(20s)).value());
        co_return *asked->run.whole();
    };
    EXPECT_EQ(block_on(waited()).run.status, RunStatus::completed);
    EXPECT_EQ(engine->seen.size(), 1U);
    EXPECT_EQ(memory().taken(), 0U);

    ASSERT_TRUE(memory().take(ana.user, PromptMemory::of_user));
    const auto cancelled = [&]() -> Task<store::RunWithMessages> {
        const auto asked = co_await questions->ask(ana, showing({image(20, '1')}));
        asked->run.cancel();
        EXPECT_TRUE((co_await asked->run.wait_for_end(20s)).value());
        co_return *asked->run.whole();
    };
    EXPECT_EQ(block_on(cancelled()).run.status, RunStatus::cancelled);
    memory().give_back(ana.user, PromptMemory::of_user);
    EXPECT_EQ(memory().taken(), 0U);
}

TEST_F(PromptImagesTest, CountForTheLengthOfAMessage)
{
    std::vector<store::Image> many;
    for (char i = 0; i < 33; ++i) many.push_back(image(20, i));
    EXPECT_EQ(ask(ana, showing(many)).error().code, Errc::message_too_long);
    many.resize(20);
    EXPECT_EQ(shown(many).run.status, RunStatus::completed);
}

TEST_F(PromptImagesTest, GiveASessionATitle)
{
    Question alone = showing({image(20, '1')});
    alone.parts->clear();
    alone.images[0].after = 0;
    const auto run = ask(ana, alone).value();
    EXPECT_EQ(block_on(store->sessions().find_session(ana, run.run.session)).value().title,
              "Image");
}

}  // namespace
}  // namespace parley::chat
