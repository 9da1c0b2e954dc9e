#include "journal/file/record.hpp"

#include <gtest/gtest.h>

namespace parley::journal::file {
namespace {

using Kind = Decoded::Kind;

std::string encoded(std::string_view run, std::uint32_t number, std::string_view frame)
{
    std::string bytes;
    append_record(bytes, run, number, frame);
    return bytes;
}

TEST(Record, ComesBackAsItWas)
{
    const std::string frame("event: x\n\0\xff", 11);
    const std::string bytes = encoded("run_1", 4'000'000'001, frame) + "more";
    const Decoded record = decode_record(bytes);
    ASSERT_EQ(record.kind, Kind::record);
    EXPECT_EQ(record.size, bytes.size() - 4);
    EXPECT_EQ(record.size, record_size("run_1", frame.size()));
    EXPECT_EQ(record.run, "run_1");
    EXPECT_EQ(record.number, 4'000'000'001);
    EXPECT_EQ(record.frame, frame);
}

TEST(Record, HasTheBytesThatTheFormatNames)
{
    const std::string bytes = encoded("ab", 0x01020304, "xyz");
    EXPECT_EQ(bytes.substr(4), std::string("\x03\0\0\0\x04\x03\x02\x01\x02"
                                           "abxyz",
                                           14));
}

TEST(Record, MayHaveAnEmptyFrame)
{
    EXPECT_EQ(decode_record(encoded("r", 1, "")).kind, Kind::record);
}

TEST(Record, IsIncompleteAtEveryShorterLength)
{
    const std::string bytes = encoded("run_1", 7, "some frame");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const Decoded record = decode_record(std::string_view(bytes).substr(0, size));
        EXPECT_EQ(record.kind, Kind::incomplete) << size;
        EXPECT_GT(record.size, size);
        EXPECT_LE(record.size, bytes.size());
    }
}

TEST(Record, IsNotBelievedWithAnyBitFlipped)
{
    const std::string good = encoded("run_1", 7, "some frame");
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        std::string bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        EXPECT_NE(decode_record(bad).kind, Kind::record) << bit;
    }
}

TEST(Record, IsNotMadeOfZeros)
{
    EXPECT_EQ(decode_record(std::string(100, '\0')).kind, Kind::damaged);
}

TEST(Record, MayNotClaimMoreThanItsLimits)
{
    std::string bytes = encoded("r", 1, std::string(max_frame_size, 'x'));
    EXPECT_EQ(decode_record(bytes).kind, Kind::record);
    bytes = encoded("r", 1, std::string(max_frame_size + 1, 'x'));
    EXPECT_EQ(decode_record(bytes).kind, Kind::damaged);
    // Detected from the first bytes, without waiting for the rest.
    EXPECT_EQ(decode_record(bytes.substr(0, record_overhead)).kind, Kind::damaged);

    EXPECT_EQ(decode_record(encoded(std::string(40, 'r'), 1, "x")).kind, Kind::record);
    EXPECT_EQ(decode_record(encoded(std::string(41, 'r'), 1, "x")).kind, Kind::damaged);
    EXPECT_EQ(decode_record(encoded("", 1, "x")).kind, Kind::damaged);
}

TEST(RunName, HasFromOneToFortyBytes)
{
    EXPECT_FALSE(RunName::from(""));
    EXPECT_EQ(RunName::from("run_1")->text(), "run_1");
    EXPECT_EQ(RunName::from(std::string(40, 'r'))->text(), std::string(40, 'r'));
    EXPECT_FALSE(RunName::from(std::string(41, 'r')));
}

TEST(SegmentHeader, TellsOursFromNewerAndDamaged)
{
    std::string ours;
    append_header(ours);
    ASSERT_EQ(ours.size(), header_size);
    EXPECT_EQ(judge_header(ours), Header::ours);
    EXPECT_EQ(judge_header(ours + "more"), Header::ours);
    EXPECT_EQ(judge_header(ours.substr(0, 15)), Header::damaged);
    EXPECT_EQ(judge_header(std::string(16, '\0')), Header::damaged);

    std::string newer;
    append_header(newer, format_version + 1);
    EXPECT_EQ(judge_header(newer), Header::newer);
    std::string none;
    append_header(none, 0);
    EXPECT_EQ(judge_header(none), Header::damaged);
    // Damage must not look like a newer version, which would prevent the start.
    for (std::size_t bit = 0; bit < header_size * 8; ++bit) {
        std::string bad = ours;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        EXPECT_EQ(judge_header(bad), Header::damaged) << bit;
    }
}

}  // namespace
}  // namespace parley::journal::file
