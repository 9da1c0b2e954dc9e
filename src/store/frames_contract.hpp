// The contract tests of the frames that are kept of ended runs, and of how they are forgotten.
#pragma once

#include "store/chat_contract_fixture.hpp"

#include <limits>

namespace parley::store {

template <class Maker>
class FramesContract : public ChatContractTest<Maker> {
protected:
    using Frames = std::vector<std::string>;

    std::string ended_with(Frames frames)
    {
        const WholeRun whole = this->begun(session, Beginning{});
        FinishedRun end = this->end_of(whole.run);
        end.last_number = static_cast<std::int64_t>(frames.size());
        end.frames = std::move(frames);
        EXPECT_TRUE(run(this->runs().finish_run(std::move(end))));
        return whole.run.id;
    }
    Result<Frames> frames(const std::string& id, std::int64_t after = 0,
                          std::size_t max_bytes = SIZE_MAX)
    {
        return run(this->runs().frames(id, after, max_bytes));
    }
    bool are_kept(const std::string& id) { return frames(id).has_value(); }
    std::size_t sweep(TimePoint frames_before, std::size_t most = 100)
    {
        return run(this->runs().sweep_runs(frames_before, this->clock.now(), most)).value();
    }

    const Session session = this->created(this->anas);
};

TYPED_TEST_SUITE_P(FramesContract);

TYPED_TEST_P(FramesContract, GivesFramesBackByteForByte)
{
    const std::vector<std::string> sent{"",      "a\0b"s, "\xff\xfe", std::string(131'072, 'x'),
                                        "\n\n"s, ""};
    EXPECT_TRUE(this->frames(this->ended_with(sent)).value() == sent);
}

TYPED_TEST_P(FramesContract, GivesWhatIsBehindANumber)
{
    const std::string id = this->ended_with({"1", "2", "3", "4"});
    using Frames = std::vector<std::string>;
    EXPECT_EQ(this->frames(id, 0).value(), (Frames{"1", "2", "3", "4"}));
    EXPECT_EQ(this->frames(id, 1).value(), (Frames{"2", "3", "4"}));
    EXPECT_EQ(this->frames(id, 3).value(), Frames{"4"});
    EXPECT_EQ(this->frames(id, 4).value(), Frames());
    EXPECT_EQ(this->frames(id, 5).value(), Frames());
    EXPECT_EQ(this->frames(id, std::numeric_limits<std::int64_t>::max()).value(), Frames());
    EXPECT_EQ(this->frames(id, std::numeric_limits<std::int64_t>::min()).value().size(), 4U);
}

TYPED_TEST_P(FramesContract, GivesNoMoreThanFitsButAtLeastOne)
{
    const std::string id = this->ended_with({"12", "345", "", "6789", "0"});
    using Frames = std::vector<std::string>;
    EXPECT_EQ(this->frames(id, 0, 0).value(), Frames{"12"});
    EXPECT_EQ(this->frames(id, 0, 4).value(), Frames{"12"});
    EXPECT_EQ(this->frames(id, 0, 5).value(), (Frames{"12", "345", ""}));
    EXPECT_EQ(this->frames(id, 0, 9).value(), (Frames{"12", "345", "", "6789"}));
    EXPECT_EQ(this->frames(id, 0, 10).value().size(), 5U);
    EXPECT_EQ(this->frames(id, 3, 1).value(), Frames{"6789"});
}

TYPED_TEST_P(FramesContract, ReadsManyPieceByPiece)
{
    std::vector<std::string> sent;
    for (std::size_t i = 0; i < 3000; ++i)
        sent.push_back(std::to_string(i) + std::string(i % 611, 'x'));
    sent.at(1500) = std::string(700'000, 'y');  // One that fits nowhere.
    sent.at(2999) = std::string(300'000, 'z');
    const std::string id = this->ended_with(sent);
    std::vector<std::string> read;
    for (;;) {
        const auto page = this->frames(id, static_cast<std::int64_t>(read.size()), 65'536).value();
        if (page.empty()) break;
        std::size_t size = 0;
        for (const std::string& each : page) size += each.size();
        EXPECT_TRUE(size <= 65'536 || page.size() == 1) << size;
        read.insert(read.end(), page.begin(), page.end());
    }
    EXPECT_TRUE(read == sent);
    for (std::int64_t after = 0; after < 3000; after += 97)
        EXPECT_TRUE(this->frames(id, after, 1).value().at(0) ==
                    sent.at(static_cast<std::size_t>(after)))
            << after;
}

TYPED_TEST_P(FramesContract, HasNoneOfARunThatGoesOnOrIsNotThere)
{
    const WholeRun going_on = this->begun(this->session);
    EXPECT_EQ(this->frames(going_on.run.id).error().code, Errc::not_found);
    EXPECT_EQ(this->frames("run_none").error().code, Errc::not_found);
    EXPECT_EQ(this->frames(this->ended_with({})).error().code, Errc::not_found);
}

TYPED_TEST_P(FramesContract, ForgetsFramesOfRunsThatEndedBeforeATime)
{
    const std::string first = this->ended_with({"1"});
    const std::string second = this->ended_with({"2", std::string(600'000, 'x')});
    const TimePoint end_of_second = this->clock.now();
    const std::string third = this->ended_with({"3"});
    const WholeRun going_on = this->begun(this->session, Beginning{});

    EXPECT_EQ(this->sweep(end_of_second), 1U);
    EXPECT_EQ(this->frames(first).error().code, Errc::not_found);
    EXPECT_TRUE(this->are_kept(second));
    EXPECT_EQ(this->sweep(end_of_second), 0U);
    EXPECT_EQ(this->sweep(this->later()), 2U);
    EXPECT_FALSE(this->are_kept(second));
    EXPECT_FALSE(this->are_kept(third));
    // The run itself, and what it said, stay.
    EXPECT_EQ(run(this->runs().find_run(this->anas, second)).value().answer->parts.at(0),
              "Because.");
    EXPECT_TRUE(this->finish(going_on));
    EXPECT_TRUE(this->are_kept(going_on.run.id));
}

TYPED_TEST_P(FramesContract, ForgetsOnlySoManyAtOnceTheOldestFirst)
{
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(this->ended_with({"1", "2"}));
    const TimePoint now = this->later();
    EXPECT_EQ(this->sweep(now, 0), 0U);
    EXPECT_EQ(this->sweep(now, 2), 2U);
    EXPECT_FALSE(this->are_kept(ids.at(1)));
    EXPECT_TRUE(this->are_kept(ids.at(2)));
    EXPECT_EQ(this->sweep(now, 2), 2U);
    EXPECT_EQ(this->sweep(now, 2), 1U);
    EXPECT_EQ(this->sweep(now, 2), 0U);
}

REGISTER_TYPED_TEST_SUITE_P(FramesContract, GivesFramesBackByteForByte, GivesWhatIsBehindANumber,
                            GivesNoMoreThanFitsButAtLeastOne, ReadsManyPieceByPiece,
                            HasNoneOfARunThatGoesOnOrIsNotThere,
                            ForgetsFramesOfRunsThatEndedBeforeATime,
                            ForgetsOnlySoManyAtOnceTheOldestFirst);

}  // namespace parley::store
