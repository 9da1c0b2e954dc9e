// The contract tests of the frames that are kept of ended runs, and of how they are forgotten.
#include "store/chat_contract_fixture.hpp"

#include <limits>

namespace parley::store {
namespace {

class FramesContract : public ChatContractTest {
protected:
    using Frames = std::vector<std::string>;

    std::string ended_with(Frames frames)
    {
        const WholeRun whole = begun(session, Beginning{});
        FinishedRun end = end_of(whole.run);
        end.last_number = static_cast<std::int64_t>(frames.size());
        end.frames = std::move(frames);
        EXPECT_TRUE(run(runs().finish_run(std::move(end))));
        return whole.run.id;
    }
    Result<Frames> frames(const std::string& id, std::int64_t after = 0,
                          std::size_t max_bytes = SIZE_MAX)
    {
        return run(runs().frames(id, after, max_bytes));
    }
    bool are_kept(const std::string& id) { return frames(id).has_value(); }
    std::size_t sweep(TimePoint frames_before, std::size_t most = 100)
    {
        return run(runs().sweep_runs(frames_before, clock.now(), most)).value();
    }

    const Session session = created(anas);
};

TEST_F(FramesContract, GivesFramesBackByteForByte)
{
    const std::vector<std::string> sent{"",      "a\0b"s, "\xff\xfe", std::string(131'072, 'x'),
                                        "\n\n"s, ""};
    EXPECT_TRUE(frames(ended_with(sent)).value() == sent);
}

TEST_F(FramesContract, GivesWhatIsBehindANumber)
{
    const std::string id = ended_with({"1", "2", "3", "4"});
    using Frames = std::vector<std::string>;
    EXPECT_EQ(frames(id, 0).value(), (Frames{"1", "2", "3", "4"}));
    EXPECT_EQ(frames(id, 1).value(), (Frames{"2", "3", "4"}));
    EXPECT_EQ(frames(id, 3).value(), Frames{"4"});
    EXPECT_EQ(frames(id, 4).value(), Frames());
    EXPECT_EQ(frames(id, 5).value(), Frames());
    EXPECT_EQ(frames(id, std::numeric_limits<std::int64_t>::max()).value(), Frames());
    EXPECT_EQ(frames(id, std::numeric_limits<std::int64_t>::min()).value().size(), 4U);
}

TEST_F(FramesContract, GivesNoMoreThanFitsButAtLeastOne)
{
    const std::string id = ended_with({"12", "345", "", "6789", "0"});
    using Frames = std::vector<std::string>;
    EXPECT_EQ(frames(id, 0, 0).value(), Frames{"12"});
    EXPECT_EQ(frames(id, 0, 4).value(), Frames{"12"});
    EXPECT_EQ(frames(id, 0, 5).value(), (Frames{"12", "345", ""}));
    EXPECT_EQ(frames(id, 0, 9).value(), (Frames{"12", "345", "", "6789"}));
    EXPECT_EQ(frames(id, 0, 10).value().size(), 5U);
    EXPECT_EQ(frames(id, 3, 1).value(), Frames{"6789"});
}

TEST_F(FramesContract, ReadsManyPieceByPiece)
{
    std::vector<std::string> sent;
    for (std::size_t i = 0; i < 3000; ++i)
        sent.push_back(std::to_string(i) + std::string(i % 611, 'x'));
    sent.at(1500) = std::string(700'000, 'y');  // One that fits nowhere.
    sent.at(2999) = std::string(300'000, 'z');
    const std::string id = ended_with(sent);
    std::vector<std::string> read;
    for (;;) {
        const auto page = frames(id, static_cast<std::int64_t>(read.size()), 65'536).value();
        if (page.empty()) break;
        std::size_t size = 0;
        for (const std::string& each : page) size += each.size();
        EXPECT_TRUE(size <= 65'536 || page.size() == 1) << size;
        read.insert(read.end(), page.begin(), page.end());
    }
    EXPECT_TRUE(read == sent);
    for (std::int64_t after = 0; after < 3000; after += 97)
        EXPECT_TRUE(frames(id, after, 1).value().at(0) == sent.at(static_cast<std::size_t>(after)))
            << after;
}

TEST_F(FramesContract, HasNoneOfARunThatGoesOnOrIsNotThere)
{
    const WholeRun going_on = begun(session);
    EXPECT_EQ(frames(going_on.run.id).error().code, Errc::not_found);
    EXPECT_EQ(frames("run_none").error().code, Errc::not_found);
    EXPECT_EQ(frames(ended_with({})).error().code, Errc::not_found);
}

TEST_F(FramesContract, ForgetsFramesOfRunsThatEndedBeforeATime)
{
    const std::string first = ended_with({"1"});
    const std::string second = ended_with({"2", std::string(600'000, 'x')});
    const TimePoint end_of_second = clock.now();
    const std::string third = ended_with({"3"});
    const WholeRun going_on = begun(session, Beginning{});

    EXPECT_EQ(sweep(end_of_second), 1U);
    EXPECT_EQ(frames(first).error().code, Errc::not_found);
    EXPECT_TRUE(are_kept(second));
    EXPECT_EQ(sweep(end_of_second), 0U);
    EXPECT_EQ(sweep(later()), 2U);
    EXPECT_FALSE(are_kept(second));
    EXPECT_FALSE(are_kept(third));
    // The run itself, and what it said, stay.
    EXPECT_EQ(run(runs().find_run(anas, second)).value().answer->parts.at(0), "Because.");
    EXPECT_TRUE(finish(going_on));
    EXPECT_TRUE(are_kept(going_on.run.id));
}

TEST_F(FramesContract, ForgetsOnlySoManyAtOnceTheOldestFirst)
{
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(ended_with({"1", "2"}));
    const TimePoint now = later();
    EXPECT_EQ(sweep(now, 0), 0U);
    EXPECT_EQ(sweep(now, 2), 2U);
    EXPECT_FALSE(are_kept(ids.at(1)));
    EXPECT_TRUE(are_kept(ids.at(2)));
    EXPECT_EQ(sweep(now, 2), 2U);
    EXPECT_EQ(sweep(now, 2), 1U);
    EXPECT_EQ(sweep(now, 2), 0U);
}

}  // namespace
}  // namespace parley::store
