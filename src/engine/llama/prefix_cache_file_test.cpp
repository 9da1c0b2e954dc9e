#include "engine/llama/prefix_cache_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace parley::engine::llama {
namespace {

namespace fs = std::filesystem;
using State = PrefixCache::State;

class KeptFileTest : public testing::Test {
protected:
    KeptFileTest()
    {
        fs::remove_all(folder);
        fs::create_directory(folder);
        std::ofstream(weights) << "weights";
        cache.keep({1, 2, 3}, State(100, 7), {.owner = "usr_a", .session = "usr_a/ses_a"});
        cache.keep({1, 2, 3, 4}, State(200, 8), {.owner = "usr_b", .session = "usr_b/ses_b"});
        cache.keep({9, 9}, State(50, 9), {.owner = "usr_a"});
    }
    ~KeptFileTest() override { fs::remove_all(folder); }
    KeptFileTest(const KeptFileTest&) = delete;
    KeptFileTest& operator=(const KeptFileTest&) = delete;

    PrefixCacheFile opened() const { return {file, weights}; }

    PrefixCache read_back(std::size_t max_bytes = 1000) const
    {
        PrefixCache found(max_bytes);
        opened().read(found);
        return found;
    }

    void change_byte(std::streamoff at) const
    {
        std::fstream open(file, std::ios::binary | std::ios::in | std::ios::out);
        open.seekg(at);
        const char byte = static_cast<char>(open.get() ^ 1);
        open.seekp(at);
        open.put(byte);
    }

    const fs::path folder =
        fs::path(testing::TempDir()) / ("kept-file-" + std::to_string(::getpid()));
    const fs::path weights = folder / "weights.gguf";
    const fs::path file = folder / "cache" / "a.kept";
    PrefixCache cache{1000};
};

TEST_F(KeptFileTest, BringsBackWhatBelongsToSessions)
{
    opened().write(cache);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
    PrefixCache found = read_back();
    EXPECT_EQ(found.count(), 2U) << "and nothing that nobody has stored";
    EXPECT_EQ(found.bytes(), 300U);
    EXPECT_EQ(*found.longest(Tokens{1, 2, 3, 4}, {.owner = "usr_b"}).state, State(200, 8));
    EXPECT_EQ(found.known(Tokens{1, 2, 3, 4}, "usr_a"), 3U) << "it still knows whose each is";
    found.forget("usr_b");
    EXPECT_EQ(found.known(Tokens{1, 2, 3, 4}, "usr_b"), 0U);
    found.forget("usr_a/ses_a");
    EXPECT_EQ(found.count(), 0U);
}

TEST_F(KeptFileTest, IsGoneOnceItWasRead)
{
    opened().write(cache);
    read_back();
    EXPECT_FALSE(fs::exists(file));
    EXPECT_EQ(read_back().count(), 0U);
}

TEST_F(KeptFileTest, IsGoneBeforeItIsRead)
{
    opened().write(cache);
    PrefixCacheFile taken = opened();
    EXPECT_FALSE(fs::exists(file)) << "a server that is killed while it loads leaves nothing";
    PrefixCache found(1000);
    taken.read(found);
    EXPECT_EQ(found.count(), 2U);
}

TEST_F(KeptFileTest, IsNotMadeOfNothing)
{
    opened().write(PrefixCache(1000));
    EXPECT_FALSE(fs::exists(file));
    PrefixCacheFile("", weights).write(cache);
    EXPECT_TRUE(fs::is_empty(folder / "cache"));
}

TEST_F(KeptFileTest, OfOtherWeightsIsNotTaken)
{
    opened().write(cache);
    std::ofstream(weights) << "other weights";
    EXPECT_EQ(read_back().count(), 0U);
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(KeptFileTest, TakesWhatFits)
{
    opened().write(cache);
    EXPECT_EQ(read_back(250).count(), 1U);
}

TEST_F(KeptFileTest, IsTakenAsFarAsItIsWhole)
{
    opened().write(cache);
    const auto size = fs::file_size(file);
    for (std::uintmax_t length = 0; length < size; ++length) {
        opened().write(cache);
        fs::resize_file(file, length);
        EXPECT_LT(read_back().count(), 2U) << length;
    }
}

TEST_F(KeptFileTest, ThatIsDamagedIsNotBelieved)
{
    opened().write(cache);
    const auto size = static_cast<std::streamoff>(fs::file_size(file));
    for (std::streamoff at = 0; at < size; ++at) {
        opened().write(cache);
        change_byte(at);
        EXPECT_LT(read_back().count(), 2U) << at;
    }
}

}  // namespace
}  // namespace parley::engine::llama
