#include "chat/chat_for_tests.hpp"

namespace parley::chat {
namespace {

class EndedRunTest : public ChatTest {
protected:
    // Grants this many bytes, and counts those in use.
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
    const RunHandle run = handle(ended);
    const auto check = [&]() -> Task<bool> {
        EventReader first = run.read(0, purse(plenty));
        EventReader second = run.read(0, purse(plenty));
        const auto one = co_await first.next();
        const auto other = co_await second.next();
        EXPECT_EQ(one->events.at(0).bytes, other->events.at(0).bytes)
            << "not only equal, but the same";
        EXPECT_GT(taken, 2 * text_of(ended).size()) << "the answer, and the event that has it";
        EXPECT_EQ(payments.size(), 3U) << "the run once, and a batch each";

        EventReader late = run.read(ended.run.last_number - 1, purse(plenty));
        EventReader later = run.read(ended.run.last_number - 1, purse(plenty));
        EXPECT_EQ((co_await late.next())->events.at(0).bytes,
                  (co_await later.next())->events.at(0).bytes);
        EventReader beyond = run.read(99'999, purse(plenty));
        EventReader as_far = run.read(99'999, purse(plenty));
        const auto snapshot = co_await beyond.next();
        const auto same = co_await as_far.next();
        EXPECT_EQ(snapshot->events.at(0).bytes, same->events.at(0).bytes);
        EXPECT_EQ(snapshot->events.at(1).bytes, same->events.at(1).bytes);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    EXPECT_EQ(taken, 0U);
}

TEST_F(EndedRunTest, GivesEachReaderAllEvents)
{
    const auto ended = long_run();
    const RunHandle run = handle(ended);
    const auto check = [&]() -> Task<bool> {
        EventReader reader = run.read(0);  // Stays at the beginning.
        co_await reader.next();
        const auto all = co_await read_all(run, 0);
        EXPECT_EQ(all.size(), 3002U);
        EXPECT_EQ(co_await read_all(run, 3000), std::vector(all.begin() + 3000, all.end()));
        EXPECT_EQ(co_await read_all(run, 0), all);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(EndedRunTest, IsNotReadWithoutRoomForIt)
{
    const auto ended = long_run();
    const RunHandle run = handle(ended);
    const auto check = [&]() -> Task<bool> {
        for (const std::size_t room : {std::size_t{0}, text_of(ended).size()}) {
            const auto refused = co_await run.read(0, purse(room)).next();
            EXPECT_EQ(refused.error().code, Errc::overloaded);
            EXPECT_EQ(taken, 0U);
        }
        EventReader first = run.read(0, purse(plenty));
        EXPECT_TRUE(co_await first.next());
        const auto refused = co_await run.read(0, purse(taken)).next();
        EXPECT_EQ(refused.error().code, Errc::overloaded) << "there is no room for its batch";
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    EXPECT_EQ(taken, 0U);
}

TEST_F(EndedRunTest, IsPaidForWhileThePastOfARunIsRead)
{
    const auto check = [&]() -> Task<bool> {
        const auto asked = co_await questions->ask(ana, saying("{words:3000}"));
        EventReader live = asked->run.read(0, purse(0));
        EventReader behind = asked->run.read(0, purse(plenty));
        EXPECT_TRUE(*(co_await asked->run.wait_for_end(20s)));
        Result<EventReader::Batch> batch = co_await behind.next();
        EXPECT_FALSE(batch->is_live);
        EXPECT_GT(taken, 0U);
        while (batch && !batch->is_last) batch = co_await behind.next();
        EXPECT_TRUE(batch);
        EXPECT_EQ((co_await live.next()).error().code, Errc::overloaded);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    EXPECT_EQ(taken, 0U);
}

}  // namespace
}  // namespace parley::chat
