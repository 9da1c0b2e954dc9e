#include "store/sqlite/opening.hpp"

#include "base/block_on.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sys/stat.h>

namespace parley::store::sqlite {
namespace {

std::string content(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class OpeningTest : public testing::Test {
protected:
    OpeningTest()
    {
        const auto store = std::move(open_sqlite_store({.file = file})).value();
        for (int i = 0; i < 200; ++i) {
            const std::string number = std::to_string(i);
            block_on(store->audit().append({.id = "evt_" + number,
                                            .at = TimePoint(),
                                            .actor = "a",
                                            .action = "b",
                                            .target = std::string(200, 'x'),
                                            .address = "c",
                                            .request_id = "d"}))
                .value();
        }
    }

    void overwrite(std::streamoff at, std::size_t size)
    {
        std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
        out.seekp(at);
        out << std::string(size, '\xa5');
    }
    void execute(const char* sql) { Database(file, Database::Access::write).execute(sql); }

    // It is refused, with a sentence that says this, and left as it was.
    void expect_refused(const std::string& words)
    {
        const std::string before = content(file);
        const auto opened = open_sqlite_store({.file = file});
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, Errc::storage_unavailable);
        EXPECT_NE(opened.error().message.find(words), std::string::npos) << opened.error().message;
        EXPECT_NE(opened.error().message.find(file.string()), std::string::npos);
        EXPECT_EQ(content(file), before);
    }

    TestDirectory directory;
    const std::filesystem::path file = directory / "parley.db";
};

TEST_F(OpeningTest, MakesAFileThatOnlyItsOwnerCanRead)
{
    struct stat about{};
    ASSERT_EQ(stat(file.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777U, 0600U);
    EXPECT_EQ(examine(file).value().version, newest_version());
}

TEST_F(OpeningTest, RefusesADamagedFirstPage)
{
    overwrite(0, 100);
    expect_refused("is damaged and was left as it is");
}

TEST_F(OpeningTest, RefusesADamagedSchema)
{
    overwrite(100, 3000);
    expect_refused("is damaged and was left as it is");
}

TEST_F(OpeningTest, RefusesAnyOtherDamagedPage)
{
    const auto pages = static_cast<std::streamoff>(content(file).size() / 4096);
    ASSERT_GT(pages, 10);
    const std::string good = content(file);
    for (std::streamoff page = 1; page < pages; ++page) {
        overwrite(page * 4096, 4096);
        expect_refused("is damaged and was left as it is");
        std::ofstream(file, std::ios::binary | std::ios::trunc) << good;
    }
    EXPECT_TRUE(open_sqlite_store({.file = file}));
}

TEST_F(OpeningTest, RefusesAFileThatWasCutShort)
{
    std::filesystem::resize_file(file, 12'288);
    expect_refused("is damaged and was left as it is");
}

TEST_F(OpeningTest, RefusesALogWithoutItsDatabase)
{
    std::ofstream(file.string() + "-wal", std::ios::binary) << "what was committed last";
    std::filesystem::resize_file(file, 0);
    expect_refused("is damaged and was left as it is");
}

TEST_F(OpeningTest, RefusesTheDataOfANewerParley)
{
    execute("PRAGMA user_version = 99");
    expect_refused("was written by a newer Parley (schema 99");
}

TEST_F(OpeningTest, RefusesTheDataOfAnotherProgram)
{
    execute("PRAGMA application_id = 7");
    expect_refused("belongs to another program");
}

TEST_F(OpeningTest, RefusesWhatIsNoDatabase)
{
    std::ofstream(file, std::ios::trunc) << "Dear diary, " << std::string(10'000, '.');
    expect_refused("is damaged and was left as it is");
}

TEST_F(OpeningTest, RefusesALinkToSomewhereElse)
{
    const auto link = directory / "link.db";
    std::filesystem::create_symlink(file, link);
    EXPECT_FALSE(open_sqlite_store({.file = link}));
}

TEST_F(OpeningTest, TakesAnEmptyFileForANewOne)
{
    std::filesystem::resize_file(file, 0);
    const auto store = open_sqlite_store({.file = file});
    ASSERT_TRUE(store);
    EXPECT_TRUE(block_on((*store)->audit().list(std::nullopt, 10)).value().items.empty());
}

TEST_F(OpeningTest, IgnoresGarbageInTheLogBesideIt)
{
    std::ofstream(directory / "parley.db-wal", std::ios::binary) << std::string(50'000, '\x5a');
    const auto store = open_sqlite_store({.file = file});
    ASSERT_TRUE(store);
    EXPECT_EQ(block_on((*store)->audit().list(std::nullopt, 1000)).value().items.size(), 200U);
}

TEST_F(OpeningTest, SaysThatADirectoryIsMissing)
{
    const auto opened = open_sqlite_store({.file = directory / "no/such/parley.db"});
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("--data"), std::string::npos);
}

}  // namespace
}  // namespace parley::store::sqlite
