#include "chat/chat_for_tests.hpp"

namespace parley::chat {
namespace {

class EndedRunTest : public ChatTest {
protected:
    // Gives so many bytes, and knows how many are taken.
    TakeMemory purse(std::size_t size)
    {
        return [this, size](std::size_t bytes) -> Result<std::shared_ptr<void>> {
            if (taken + bytes > size) return Error{Errc::overloaded, "full"};
            taken += bytes;
            payments.push_back(bytes);
            return std::shared_ptr<void>(this, [this, bytes](void*) { taken -= bytes; });
        };
    }
    store::RunWithMessages long_run()
    {
        const auto ended = ask(ana, saying("{words:3000}"));
        EXPECT_TRUE(ended);
        return *ended;
    }

    std::size_t taken = 0;
    std::vector<std::size_t> payments;
};

constexpr std::size_t plenty = 1'000'000'000;

TEST_F(EndedRunTest, IsSharedByItsReaders)
{
    const auto ended = long_run();
    const auto check = [&]() -> Task<bool> {
        Reader first = runs->read(ended, 0, purse(plenty));
        Reader second = runs->read(ended, 0, purse(plenty));
        const auto one = co_await first.next();
        const auto other = co_await second.next();
        EXPECT_EQ(one->frames.at(0), other->frames.at(0)) << "not only equal, but the same";
        EXPECT_GT(taken, 2 * text_of(ended).size()) << "the answer, and the event that has it";
        EXPECT_EQ(payments.size(), 3U) << "the run once, and a batch each";

        Reader late = runs->read(ended, ended.run.last_number - 1, purse(plenty));
        Reader later = runs->read(ended, ended.run.last_number - 1, purse(plenty));
        EXPECT_EQ((co_await late.next())->frames.at(0), (co_await later.next())->frames.at(0));
        Reader beyond = runs->read(ended, 99'999, purse(plenty));
        Reader as_far = runs->read(ended, 99'999, purse(plenty));
        EXPECT_EQ((co_await beyond.next())->frames, (co_await as_far.next())->frames);
        co_return true;
    };
    EXPECT_TRUE(run(check()));
    EXPECT_EQ(taken, 0U);
}

TEST_F(EndedRunTest, GivesEachReaderAllEvents)
{
    const auto ended = long_run();
    const auto check = [&]() -> Task<bool> {
        Reader reader = runs->read(ended, 0);  // Stays at the beginning.
        co_await reader.next();
        const auto all = co_await read_all(runs->read(ended, 0));
        EXPECT_EQ(all.size(), 3002U);
        EXPECT_EQ(co_await read_all(runs->read(ended, 3000)),
                  std::vector(all.begin() + 3000, all.end()));
        EXPECT_EQ(co_await read_all(runs->read(ended, 0)), all);
        co_return true;
    };
    EXPECT_TRUE(run(check()));
}

TEST_F(EndedRunTest, IsNotReadWithoutRoomForIt)
{
    const auto ended = long_run();
    const auto check = [&]() -> Task<bool> {
        for (const std::size_t room : {std::size_t{0}, text_of(ended).size()}) {
            const auto refused = co_await runs->read(ended, 0, purse(room)).next();
            EXPECT_EQ(refused.error().code, Errc::overloaded);
            EXPECT_EQ(taken, 0U);
        }
        Reader first = runs->read(ended, 0, purse(plenty));
        EXPECT_TRUE(co_await first.next());
        const auto refused = co_await runs->read(ended, 0, purse(taken)).next();
        EXPECT_EQ(refused.error().code, Errc::overloaded) << "there is no room for its batch";
        co_return true;
    };
    EXPECT_TRUE(run(check()));
    EXPECT_EQ(taken, 0U);
}

TEST_F(EndedRunTest, IsPaidForWhileThePastOfARunIsRead)
{
    const auto check = [&]() -> Task<bool> {
        const auto asked = co_await questions->ask(ana, saying("{words:3000}"));
        Reader live = runs->read(asked->active, 0, purse(0));
        Reader behind = runs->read(asked->active, 0, purse(plenty));
        EXPECT_TRUE(*(co_await wait_for_end(asked->active, 20s)));
        Result<Reader::Batch> batch = co_await behind.next();
        EXPECT_FALSE(batch->is_live);
        EXPECT_GT(taken, 0U);
        while (batch && !batch->is_last) batch = co_await behind.next();
        EXPECT_TRUE(batch);
        EXPECT_EQ((co_await live.next()).error().code, Errc::overloaded);
        co_return true;
    };
    EXPECT_TRUE(run(check()));
    EXPECT_EQ(taken, 0U);
}

}  // namespace
}  // namespace parley::chat
