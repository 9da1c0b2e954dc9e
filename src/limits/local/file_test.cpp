#include "limits/local/earlier_layout.hpp"
#include "limits/local/key_hashes.hpp"
#include "limits/local/limiter_for_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace parley::limits::local {
namespace {

using namespace std::chrono_literals;

constexpr const char* damaged = "the rate-limit file is damaged; all limits start over";

class LimitsFileTest : public LocalLimiterTest {
protected:
    // A file in which one user has used up the limit.
    void spend()
    {
        open();
        ASSERT_EQ(admits_of(31, Class::chat, usr_1), 30);
        limiter.reset();
    }
    std::string read() const
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(const std::string& bytes) const
    {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    }
    std::string refusal()
    {
        limiter.reset();
        auto opened = LocalLimiter::open(options());
        if (opened) return "opened";
        EXPECT_EQ(opened.error().code, Errc::storage_unavailable);
        return opened.error().message;
    }
    bool leaves_nothing_behind() const { return !std::filesystem::exists(file.string() + ".new"); }

    LimitsFileTest()
    {
        users = 4;
        addresses = 4;
        logins = 4;
    }
};

TEST_F(LimitsFileTest, IsItsOwnersAlone)
{
    const mode_t before = umask(0);
    open();
    umask(before);
    struct stat status{};
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    EXPECT_TRUE(leaves_nothing_behind());
}

TEST_F(LimitsFileTest, HasAllItsBlocksReserved)
{
    open();
    struct stat status{};
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_GE(status.st_blocks * 512, status.st_size);
}

TEST_F(LimitsFileTest, HoldsNoKeyInPlain)
{
    open();
    admits_of(1, Class::auth, Key::account("ana.the.canary@example.org"));
    limiter.reset();
    EXPECT_EQ(read().find("canary"), std::string::npos);
}

TEST_F(LimitsFileTest, KnowsADamageOfAnyBitOfItsHeader)
{
    spend();
    const std::string whole = read();
    for (std::size_t bit = 0; bit < 8 * offsetof(Header, anchor); ++bit) {
        Header header;
        std::memcpy(&header, whole.data(), sizeof header);
        ASSERT_TRUE(is_sound(header));
        reinterpret_cast<unsigned char*>(&header)[bit / 8] ^= 1U << (bit % 8);
        ASSERT_FALSE(is_sound(header)) << "bit " << bit;
    }
}

TEST_F(LimitsFileTest, IsLeftBehindWithALineInTheLogWhenItsHeaderIsDamaged)
{
    spend();
    const std::string whole = read();
    for (std::size_t i = 0; i < sizeof(Header); i += 7) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
        write(bytes);
        const std::string said = log_of_open();
        const bool anew = said.find(damaged) != std::string::npos;
        // The bytes after the checksum matter only after a reboot.
        ASSERT_EQ(anew, i < offsetof(Header, anchor)) << "byte " << i;
        ASSERT_EQ(remaining(Class::chat, usr_1), anew ? 30U : 0U) << "byte " << i;
    }
}

TEST_F(LimitsFileTest, CountsAllTimesAsNowWhenNobodyCanTellWhatTheyMeant)
{
    spend();
    clock.advance(59s);
    const std::string whole = read();
    for (std::size_t i = offsetof(Header, anchor); i < sizeof(Header); ++i) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
        write(bytes);
        boot = "another";
        const std::string said = log_of_open();
        ASSERT_NE(said.find("the clock of the rate-limit file is unknown"), said.npos)
            << "byte " << i;
        ASSERT_EQ(limiter->peek(Class::chat, usr_1).take().value().retry_after, 60s)
            << "byte " << i;
    }
}

TEST_F(LimitsFileTest, IsLeftBehindWhenItWasCutOrGrew)
{
    spend();
    const std::string whole = read();
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, sizeof(Header) - 1,
                                   sizeof(Header), std::size_t{4096}, whole.size() - 1}) {
        write(whole.substr(0, size));
        EXPECT_NE(log_of_open().find(damaged), std::string::npos) << size;
        EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
    }
    write(whole + "x");
    EXPECT_NE(log_of_open().find(damaged), std::string::npos);
    write(std::string(whole.size(), '\xff'));
    EXPECT_NE(log_of_open().find(damaged), std::string::npos);
}

TEST_F(LimitsFileTest, SurvivesAnyNonsenseInItsTables)
{
    spend();
    const std::string whole = read();
    for (const char nonsense : {'\x01', '\x7f', '\x80', '\xff'}) {
        write(whole.substr(0, tables_begin) + std::string(whole.size() - tables_begin, nonsense));
        open();
        EXPECT_LE(admits_of(31, Class::chat, usr_1), 30);
        clock.advance(60s);  // All earlier admissions expire after one window.
        EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
    }
}

// A file of version 0.1 with room for one key in each table; one user has used `used` of chat.
std::string file_of_0_1(const Clock& clock, std::string_view boot, int used)
{
    EarlierHeader header;
    header.fixed.magic = file_magic;
    header.fixed.version = 1;
    std::ranges::copy(boot, header.fixed.boot_id.begin());
    header.fixed.hash_keys[0].fill(7);
    using Table = EarlierHeader::Fixed::Table;
    header.fixed.tables = {Table{0, 0, 30, 1, 1}, {2, 0, 100, 1, 1}, {2, 2, 100, 1, 1},
                           {1, 0, 10, 1, 1},      {1, 2, 10, 1, 1},  {1, 1, 10, 1, 1}};
    seal(header);
    std::vector<std::uint64_t> tables(6 * 2 + 30 + 2 * 100 + 3 * 10);
    Header with_secret;
    with_secret.fixed.hash_keys[0] = header.fixed.hash_keys[0];
    const KeyHash key = hash_of(usr_1, with_secret);
    tables[0] = key.high;
    tables[1] = key.low;
    const auto now = std::chrono::duration_cast<Moment>(clock.steady().time_since_epoch());
    std::fill_n(tables.begin() + 2, used, to_stamp(now));

    std::string bytes(tables_begin, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes.append(reinterpret_cast<const char*>(tables.data()), tables.size() * 8);
}

TEST_F(LimitsFileTest, TakesOverWhatVersion01Counted)
{
    write(file_of_0_1(clock, boot, 20));
    const std::string said = log_of_open();
    EXPECT_NE(said.find(R"("keys":1)"), said.npos) << said;
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 10);
    clock.advance(60s);
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
}

TEST_F(LimitsFileTest, LeavesADamagedFileOfVersion01Behind)
{
    const std::string whole = file_of_0_1(clock, boot, 20);
    for (std::size_t i = 0; i < offsetof(EarlierHeader, anchor); i += 5) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
        write(bytes);
        ASSERT_NE(log_of_open().find(damaged), std::string::npos) << "byte " << i;
    }
}

TEST_F(LimitsFileTest, TakesNoNoticeOfWhatAKilledStartLeft)
{
    spend();
    std::ofstream(file.string() + ".new") << std::string(100'000, '\xff');
    open();
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    EXPECT_EQ(admits_of(31, Class::chat, Key::user("usr_2")), 30);
    EXPECT_TRUE(leaves_nothing_behind());
}

TEST_F(LimitsFileTest, ServesOneProgramAtATime)
{
    open();
    const auto second = LocalLimiter::open(options());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message,
              "Another program uses the rate-limit file " + file.string() +
                  ". Stop it first, or give this one its own data directory.");
    EXPECT_TRUE(leaves_nothing_behind());
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
}

TEST_F(LimitsFileTest, RefusesToStartWithoutItsFolder)
{
    file = folder.path() / "missing" / "limits";
    EXPECT_EQ(refusal(), "The rate-limit file " + file.string() +
                             " cannot be created: No such file or directory. Check that the data "
                             "directory exists and is writable.");
}

TEST_F(LimitsFileTest, RefusesToStartWhenSomethingElseHasItsName)
{
    std::filesystem::create_directory(file);
    EXPECT_EQ(refusal(), "The rate-limit file " + file.string() +
                             " cannot be opened: Is a directory. It must be a file that this user "
                             "may read and write.");
    EXPECT_TRUE(leaves_nothing_behind());
}

TEST_F(LimitsFileTest, RefusesToStartWhenItMayNotReadItAndForgetsNothing)
{
    spend();
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    std::filesystem::permissions(file, std::filesystem::perms::none);
    const bool root = geteuid() == 0;
    if (root) ASSERT_EQ(seteuid(65534), 0);  // A user that permissions apply to.
    const std::string said = refusal();
    if (root) ASSERT_EQ(seteuid(0), 0);
    EXPECT_NE(said.find("cannot be opened: Permission denied."), said.npos) << said;
    EXPECT_TRUE(leaves_nothing_behind());
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    open();
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
}

TEST_F(LimitsFileTest, RefusesToStartOnAFullDiskAndForgetsNothing)
{
    spend();
    // Simulates a full disk.
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &usual), 0);
    const rlimit tight{4096, usual.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const std::string said = refusal();
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &usual), 0);
    std::signal(SIGXFSZ, before);
    EXPECT_EQ(said, "The rate-limit file " + file.string() +
                        " cannot be created: File too large. It needs 1 MiB of disk; free that "
                        "much.");
    EXPECT_TRUE(leaves_nothing_behind());
    open();
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
}

}  // namespace
}  // namespace parley::limits::local
