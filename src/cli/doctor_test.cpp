#include "app/folder_for_tests.hpp"
#include "base/rfc3339.hpp"
#include "cli/finding.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::cli {
namespace {

namespace fs = std::filesystem;
using boost::asio::ip::tcp;
using testing::HasSubstr;

class DoctorTest : public testing::Test {
protected:
    const app::FolderForTests folder;
    const app::DataPaths paths{folder.path()};
    ManualClock clock;
};

TEST_F(DoctorTest, LooksAtTheDirectory)
{
    EXPECT_EQ(check_directory(paths, {}).verdict, Verdict::ok);
    EXPECT_THAT(check_directory(paths, {}).finding, HasSubstr("not in use"));
    EXPECT_THAT(check_directory(paths, app::LockHolder{.pid = 7, .address = "http://x"}).finding,
                HasSubstr("in use by process 7 on http://x"));
    EXPECT_THAT(check_directory({folder.path() / "a" / "b"}, {}).finding,
                HasSubstr("the first start creates it"));

    const fs::path file = folder.file("file", "");
    EXPECT_EQ(check_directory({file}, {}).verdict, Verdict::fail);
    EXPECT_EQ(check_directory({file / "below"}, {}).verdict, Verdict::fail);
    fs::permissions(folder.path(), fs::perms(0755));
    EXPECT_EQ(check_directory(paths, {}).verdict, Verdict::fail);
    EXPECT_THAT(check_directory(paths, {}).finding, HasSubstr("chmod 700"));
    fs::permissions(folder.path(), fs::perms(0700));
}

TEST_F(DoctorTest, LooksAtTheDisk)
{
    EXPECT_EQ(check_disk(paths, 0).verdict, Verdict::ok);
    const auto little = check_disk(paths, std::uint64_t{1} << 50U);
    EXPECT_EQ(little.verdict, Verdict::warn);
    EXPECT_THAT(little.finding, HasSubstr("fewer than store.min_free_mib = 1073741824"));
    EXPECT_FALSE(little.advice.empty());
    EXPECT_EQ(check_disk({folder.path() / "not" / "yet"}, 0).verdict, Verdict::ok);
}

TEST_F(DoctorTest, LooksAtTheStore)
{
    EXPECT_THAT(check_store_file(paths, "sqlite").finding, HasSubstr("does not exist yet"));
    EXPECT_EQ(check_store_file(paths, "memory").verdict, Verdict::warn);
    folder.file("parley.db", std::string(2048, 'x'));
    EXPECT_EQ(check_store_file(paths, "sqlite").verdict, Verdict::ok);
    EXPECT_THAT(check_store_file(paths, "sqlite").finding, HasSubstr("2 KiB"));
    fs::remove(paths.database());
    fs::create_directory(paths.database());
    EXPECT_EQ(check_store_file(paths, "sqlite").verdict, Verdict::fail);
}

TEST_F(DoctorTest, LooksAtThePort)
{
    boost::asio::io_context context;
    tcp::acceptor other(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    const std::string port = std::to_string(other.local_endpoint().port());
    const std::string taken = "127.0.0.1:" + port;

    const auto refused = check_port("port", taken, {});
    EXPECT_EQ(refused.verdict, Verdict::fail);
    EXPECT_THAT(refused.finding, HasSubstr(taken));
    const auto holder = [](const std::string& url) {
        return app::LockHolder{.pid = 7, .address = url};
    };
    EXPECT_THAT(check_port("port", taken, holder("http://" + taken)).finding,
                HasSubstr("in use by this server"));
    EXPECT_THAT(check_port("port", "0.0.0.0:" + port, holder("https://" + taken)).finding,
                HasSubstr("in use by this server"));
    const app::LockHolder with_metrics{
        .pid = 7, .address = "http://127.0.0.1:1", .metrics_address = "http://" + taken};
    EXPECT_THAT(check_port("metrics port", taken, with_metrics).finding,
                HasSubstr("in use by this server"));
    const auto foreign = check_port("metrics port", taken, holder("http://127.0.0.1:1"));
    EXPECT_EQ(foreign.verdict, Verdict::fail) << "the server has no metrics there";
    EXPECT_THAT(foreign.finding, testing::Not(HasSubstr("this server")));
    const auto unknown = check_port("port", taken, holder(""));
    EXPECT_EQ(unknown.verdict, Verdict::warn);
    EXPECT_THAT(unknown.finding, HasSubstr("perhaps by process 7"));

    EXPECT_EQ(check_port("port", "127.0.0.1:0", {}).verdict, Verdict::ok);
    EXPECT_EQ(check_port("port", "off", {}).finding, "off");
    EXPECT_EQ(check_port("port", "nonsense", {}).verdict, Verdict::fail);
    EXPECT_EQ(check_port("port", "192.0.2.1:0", {}).verdict, Verdict::fail);
}

TEST_F(DoctorTest, LooksAtTheCertificate)
{
    EXPECT_EQ(check_certificate({}, clock.now()).verdict, Verdict::ok);
    const auto missing = check_certificate({"/nowhere.pem", "/nowhere.key"}, clock.now());
    EXPECT_EQ(missing.verdict, Verdict::fail);
    EXPECT_THAT(missing.finding, HasSubstr("/nowhere.pem"));
}

TEST_F(DoctorTest, LooksAtTheClock)
{
    folder.file("a", "");
    using file_clock = std::chrono::file_clock;
    const auto written = [&](std::chrono::seconds later) {
        fs::last_write_time(folder.path() / "a", file_clock::from_sys(clock.now() + later));
    };
    written(std::chrono::seconds(0));
    EXPECT_EQ(check_clock(paths, clock.now()).verdict, Verdict::ok);
    written(std::chrono::seconds(59));
    EXPECT_EQ(check_clock(paths, clock.now()).verdict, Verdict::ok);
    written(std::chrono::hours(1));
    const auto behind = check_clock(paths, clock.now());
    EXPECT_EQ(behind.verdict, Verdict::fail);
    EXPECT_THAT(behind.finding, HasSubstr("has a later time"));

    clock.set(TimePoint());
    EXPECT_THAT(check_clock(paths, clock.now()).finding, HasSubstr("which is not plausible"));
    EXPECT_FALSE(check_synchronised().finding.empty());
}

TEST_F(DoctorTest, LooksAtTheTimeZones)
{
    EXPECT_THAT(check_time_zones(folder.path(), clock.now()).finding,
                HasSubstr("no time zone database"));
    folder.file("tzdata.zi", "# version 2020a\nZ Moon/Base 1 - MBT\n");
    const auto old = check_time_zones(folder.path(), *parse_rfc3339("2026-01-01T00:00:00Z"));
    EXPECT_EQ(old.verdict, Verdict::warn);
    EXPECT_THAT(old.finding, HasSubstr("2020a"));
    EXPECT_THAT(old.advice, HasSubstr("tzdata"));
    const auto young = check_time_zones(folder.path(), *parse_rfc3339("2022-12-01T00:00:00Z"));
    EXPECT_EQ(young.verdict, Verdict::ok);
    EXPECT_EQ(young.finding, "version 2020a");
}

TEST_F(DoctorTest, LooksAtTheLimitsOfTheSystem)
{
    EXPECT_EQ(check_descriptors(20'000, 10'000).verdict, Verdict::ok);
    const auto few = check_descriptors(1024, 10'000);
    EXPECT_EQ(few.verdict, Verdict::warn);
    EXPECT_THAT(few.finding, HasSubstr("server.max_connections = 10000"));
    EXPECT_EQ(check_memory(255, 1).verdict, Verdict::warn);
    EXPECT_EQ(check_memory(256, 2).verdict, Verdict::ok);
}

}  // namespace
}  // namespace parley::cli
