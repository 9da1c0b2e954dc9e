#include "journal/file/file_journal_for_tests.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace parley::journal::file {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::string zeros(100, '\0');

class RecoveryTest : public FileJournalTest {
protected:
    // A journal of `count` events of two runs, with the end of each event.
    void fill(std::uint32_t count, Options options = {})
    {
        open(options);
        for (std::uint32_t number = 1; number <= count; ++number) {
            const std::string run = number % 2 == 1 ? "odd" : "even";
            ASSERT_TRUE(append(run, (number + 1) / 2, "event " + std::to_string(number)));
            if (files().size() == 1) ends.push_back(std::filesystem::file_size(files()[0]));
        }
        journal.reset();
    }
    // The number of events that are completely within the first `size` bytes.
    std::uint32_t whole_within(std::uint64_t size) const
    {
        return static_cast<std::uint32_t>(
            std::ranges::count_if(ends, [&](std::uint64_t end) { return end <= size; }));
    }
    // Checks that exactly the first `count` events exist, and that the journal can continue.
    void expect_first(std::uint32_t count)
    {
        Texts odd;
        Texts even;
        for (std::uint32_t number = 1; number <= count; ++number)
            (number % 2 == 1 ? odd : even).push_back("event " + std::to_string(number));
        if (odd.empty()) odd = {"?"};
        if (even.empty()) even = {"?"};
        EXPECT_EQ(read("odd"), odd);
        EXPECT_EQ(read("even"), even);
        EXPECT_TRUE(append("odd", (count + 1) / 2 + 1, "more"));
        open();
        EXPECT_EQ(read("odd").back(), "more");
    }
    void break_byte(const std::filesystem::path& file, std::size_t at)
    {
        std::string bytes = bytes_of(file);
        bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
        write_file(file, bytes);
    }

    const std::vector<std::string> both{"even", "odd"};
    std::vector<std::uint64_t> ends;
};

TEST_F(RecoveryTest, CutsATornTailAtEveryLength)
{
    fill(5);
    const auto file = files().at(0);
    const std::string good = bytes_of(file);
    for (std::size_t size = 0; size <= good.size(); ++size) {
        SCOPED_TRACE(size);
        std::filesystem::remove_all(folder);
        std::filesystem::create_directory(folder);
        write_file(file, good.substr(0, size));
        open();
        const std::uint32_t kept = whole_within(size);
        if (kept > 0) EXPECT_EQ(std::filesystem::file_size(file), ends[kept - 1]);
        expect_first(kept);
    }
}

TEST_F(RecoveryTest, KeepsWhatPrecedesAFlippedBitAtEveryByte)
{
    fill(5);
    const auto file = files().at(0);
    const std::string good = bytes_of(file);
    for (std::size_t at = 0; at < good.size(); ++at) {
        SCOPED_TRACE(at);
        std::filesystem::remove_all(folder);
        std::filesystem::create_directory(folder);
        write_file(file, good);
        break_byte(file, at);
        open();
        expect_first(whole_within(at));
        // A file without a recognisable header is set aside, not deleted.
        EXPECT_EQ(std::filesystem::exists(file.string() + ".damaged"), at < header_size);
    }
}

TEST_F(RecoveryTest, CutsZerosAndNonsenseBehindTheLastRecord)
{
    fill(5);
    const auto file = files().at(0);
    const std::string good = bytes_of(file);
    for (const std::string& tail :
         {zeros, std::string("nonsense, and enough of it to be read as a record"),
          std::string(300'000, '\0'), std::string(300'000, 'x'), good.substr(0, 16)}) {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directory(folder);
        write_file(file, good + tail);
        open();
        EXPECT_EQ(std::filesystem::file_size(file), good.size());
        expect_first(5);
    }
}

TEST_F(RecoveryTest, GoesOnBehindDamageInAnOlderSegment)
{
    fill(12, {.segment_size = 100});
    const auto all = files();
    ASSERT_GT(all.size(), 3U);
    const std::string good = bytes_of(all[1]);
    open();
    const auto whole = last_numbers(both);
    const std::size_t events = read("odd").size() + read("even").size();
    for (std::size_t at = 0; at < good.size(); ++at) {
        SCOPED_TRACE(at);
        journal.reset();
        std::filesystem::remove(all[1].string() + ".damaged");
        write_file(all[1], good);
        break_byte(all[1], at);
        const std::string broken = bytes_of(all[1]);
        open({.segment_size = 100});
        EXPECT_EQ(last_numbers(both), whole);  // They are in the last segments.
        EXPECT_LT(read("odd").size() + read("even").size(), events);
        EXPECT_EQ(read("odd").front(), "event 1");
        EXPECT_EQ(read("odd").back(), "event 11");
        for (const std::string& run : both)
            EXPECT_EQ(state(run)->whole, read(run).size() == state(run)->last) << run;
        // It stays unchanged: only a last segment is truncated.
        const bool kept = std::filesystem::exists(all[1]);
        EXPECT_EQ(bytes_of(kept ? all[1].string() : all[1].string() + ".damaged"), broken);
        EXPECT_TRUE(append("new", 1, "goes on"));
        journal->end("new");
    }
}

TEST_F(RecoveryTest, GoesOnWithNumbersBehindAGap)
{
    fill(12, {.segment_size = 100});
    break_byte(files().at(1), header_size);
    open({.segment_size = 100});
    const auto last = last_numbers(both);
    EXPECT_TRUE(append("odd", last.at("odd") + 1, "more"));
    EXPECT_EQ(read("odd").back(), "more");
}

TEST_F(RecoveryTest, RefusesANewerFormatAndTouchesNothing)
{
    fill(12, {.segment_size = 100});
    const auto all = files();
    // Adds a tail and a file that a start could cut or delete by mistake.
    write_file(all.back(), bytes_of(all.back()) + zeros);
    write_file(folder / "00000098.segment", "");
    std::string newer;
    append_header(newer, format_version + 1);
    write_file(folder / "00000099.segment", newer + "who knows");
    std::map<std::string, std::string> before;
    for (const auto& file : files()) before[file] = bytes_of(file);

    const auto opened = FileJournal::open(folder);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::storage_unavailable);
    EXPECT_THAT(opened.error().message, HasSubstr("newer version of Parley"));
    EXPECT_THAT(opened.error().message, HasSubstr("00000099.segment"));
    std::map<std::string, std::string> after;
    for (const auto& file : files()) after[file] = bytes_of(file);
    EXPECT_EQ(after, before);
}

TEST_F(RecoveryTest, TakesEmptySegmentsForNothing)
{
    fill(12, {.segment_size = 100});
    const std::size_t count = files().size();
    std::string header;
    append_header(header);
    write_file(folder / "00000090.segment", "");
    write_file(folder / "00000091.segment", "PARL");
    write_file(folder / "00000092.segment", header);
    open();
    EXPECT_EQ(files().size(), count);
    EXPECT_EQ(journal->figures().segments, count);
    EXPECT_EQ(read("even").size(), 6U);
    EXPECT_TRUE(append("even", 7, "more"));
    EXPECT_EQ(files().back().filename(), "00000093.segment");
}

TEST_F(RecoveryTest, LeavesOtherFilesAlone)
{
    fill(2);
    for (const char* name : {"README", "1.segment", "00000002.segment.damaged", "x0000003.segment",
                             "000000004.segment", "00000000.segment", "4294967295.segment"})
        write_file(folder / name, "not ours");
    open();
    expect_first(2);
    EXPECT_EQ(files().size(), 8U);
}

TEST_F(RecoveryTest, RefusesWhatOnlyLooksLikeASegment)
{
    fill(2);
    std::filesystem::create_symlink("/etc/passwd", folder / "00000002.segment");
    EXPECT_THAT(FileJournal::open(folder).error().message, HasSubstr("00000002.segment"));
    std::filesystem::remove(folder / "00000002.segment");
    ASSERT_EQ(::mkfifo((folder / "00000002.segment").c_str(), 0600), 0);
    EXPECT_THAT(FileJournal::open(folder).error().message, HasSubstr("is not a file"));
}

TEST_F(RecoveryTest, CountsARepeatedEventOnce)
{
    fill(4);
    std::filesystem::copy(files().at(0), folder / "00000002.segment");
    open();
    expect_first(4);
}

TEST_F(RecoveryTest, ReadsRecordsThatCrossItsChunks)
{
    open();
    Texts all;
    for (std::uint32_t number = 1; number <= 20; ++number) {
        all.emplace_back(number * 4999, static_cast<char>('a' + number));
        ASSERT_TRUE(append("long", number, all.back()));
    }
    ASSERT_TRUE(append("long", 21, std::string(1'000'000, 'z')));
    open();
    all.emplace_back(1'000'000, 'z');
    EXPECT_EQ(read("long"), all);
}

TEST_F(RecoveryTest, RemembersWhichRunsGoOn)
{
    fill(5);
    open();
    EXPECT_THAT(last_numbers(both), ElementsAre(Pair("even", 2), Pair("odd", 3)));
    for (const std::string& run : both) {
        EXPECT_EQ(state(run)->first, 1U);
        EXPECT_TRUE(state(run)->whole);
        journal->end(run);
    }
    EXPECT_EQ(journal->figures().runs, 0U);
}

}  // namespace
}  // namespace parley::journal::file
