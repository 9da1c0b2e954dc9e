#include "limits/local/local_limiter.hpp"

#include "limits/limiter_contract.hpp"
#include "limits/limiter_numbers_contract.hpp"
#include "limits/local/limiter_for_tests.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <string>

namespace parley::limits::local {

struct MakesLocal {
    std::unique_ptr<Limiter> open(const Limits& limits, const Clock& clock)
    {
        return LocalLimiter::open({.file = folder.path() / "limits",
                                   .limits = limits,
                                   .users = 2000,
                                   .addresses = 2000,
                                   .logins = 2000,
                                   .clock = &clock,
                                   .boot_id = "one"})
            .value();
    }

    ScratchFolder folder;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Local, LimiterContract, MakesLocal);
INSTANTIATE_TYPED_TEST_SUITE_P(Local, LimiterNumbersContract, MakesLocal);

namespace {

Key nth_address(int number) { return address(("198.51.100." + std::to_string(number)).c_str()); }

TEST(LocalLimiterOptions, HaveRoomForThisManyKeys)
{
    EXPECT_EQ(LocalLimiter::Options{}.users, 4096U);
    EXPECT_EQ(LocalLimiter::Options{}.addresses, 8192U);
    EXPECT_EQ(LocalLimiter::Options{}.logins, 65'536U);
}

TEST_F(LocalLimiterTest, LetsUnknownAddressesShareAPlaceWhenAllOthersAreLive)
{
    addresses = 8;
    open();
    for (int i = 0; i < 8; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
    clock.advance(20s);

    testing::internal::CaptureStderr();
    for (int i = 8; i < 108; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1) << i;
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("new ones share one rate limit"), said.npos);
    EXPECT_EQ(said.find("new ones share"), said.rfind("new ones share")) << "once a minute";
    const Decision refused = admit(Class::general, nth_address(108)).value();
    EXPECT_FALSE(refused.admitted);
    EXPECT_EQ(refused.limit, 100U);
    EXPECT_EQ(refused.retry_after, 60s);
    EXPECT_EQ(admits_of(1, Class::general, nth_address(8)), 0);
    // Clients with a place keep their own counts, and users are not affected.
    for (int i = 0; i < 8; ++i) EXPECT_EQ(remaining(Class::general, nth_address(i)), 99U);
    EXPECT_EQ(admits_of(100, Class::general, nth_address(0)), 99);
    EXPECT_EQ(admits_of(101, Class::general, Key::user("usr_1")), 100);
    EXPECT_EQ(admits_of(1, Class::auth, nth_address(108)), 1);

    clock.advance(60s);
    EXPECT_EQ(admits_of(101, Class::general, nth_address(108)), 100);
}

TEST_F(LocalLimiterTest, AdmitsNoneMoreOftenWhoLeavesTheSharedPlaceForOneOfItsOwn)
{
    addresses = 8;
    open();
    for (int i = 0; i < 8; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
    clock.advance(30s);
    ASSERT_EQ(admits_of(70, Class::general, nth_address(8)), 70);
    clock.advance(30s);  // Now there are free places again.
    EXPECT_EQ(remaining(Class::general, nth_address(8)), 30U);
    EXPECT_EQ(admits_of(100, Class::general, nth_address(8)), 30);
    // It has its own place now: a later client gets only the rest of the shared one.
    EXPECT_EQ(admits_of(100, Class::general, nth_address(9)), 30);
    clock.advance(30s);
    EXPECT_EQ(admits_of(100, Class::general, nth_address(8)), 70);
    EXPECT_EQ(admits_of(101, Class::general, nth_address(10)), 100);
}

TEST_F(LocalLimiterTest, KeepsWhatIsSharedAcrossARestart)
{
    addresses = 8;
    open();
    for (int i = 0; i < 8; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
    ASSERT_EQ(admits_of(60, Class::general, nth_address(8)), 60);
    open();
    EXPECT_EQ(admits_of(100, Class::general, nth_address(9)), 40);
    addresses = 2;  // Clients that find no place also share one.
    open();
    EXPECT_EQ(admits_of(1, Class::general, nth_address(10)), 0);
    clock.advance(60s);
    EXPECT_EQ(admits_of(101, Class::general, nth_address(10)), 100);
}

TEST_F(LocalLimiterTest, GivesBackWhatWasShared)
{
    addresses = 2;
    open();
    for (int i = 0; i < 2; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
    ASSERT_EQ(admits_of(99, Class::general, nth_address(2)), 99);
    const Decision last = admit(Class::general, nth_address(3)).value();
    ASSERT_TRUE(last.admitted);
    ASSERT_EQ(admits_of(1, Class::general, nth_address(4)), 0);
    ASSERT_TRUE(block_on(limiter->give_back(Class::general, nth_address(3), last.receipt)));
    EXPECT_EQ(admits_of(2, Class::general, nth_address(4)), 1);
}

TEST_F(LocalLimiterTest, GivesThePlaceOfADeadKeyToANewOneAndNeverThatOfALiveOne)
{
    addresses = 8;
    open();
    for (int i = 0; i < 8; ++i) {
        ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
        clock.advance(1s);
    }
    ASSERT_EQ(admits_of(1, Class::general, nth_address(0)), 1);  // Stays in use; the others expire.
    clock.advance(60s - 1ns);
    for (int i = 100; i < 107; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
    EXPECT_EQ(remaining(Class::general, nth_address(0)), 99U);
    ASSERT_EQ(admits_of(1, Class::general, nth_address(107)), 1);  // In the shared place.
    EXPECT_EQ(remaining(Class::general, nth_address(108)), 99U);
    clock.advance(1ns);
    EXPECT_EQ(admits_of(101, Class::general, nth_address(109)), 99);
}

TEST_F(LocalLimiterTest, TellsFurtherUsersThatItIsOverloadedWhenTooManyAreActive)
{
    users = 3;
    open();
    for (const char* user : {"usr_1", "usr_2", "usr_3"})
        ASSERT_EQ(admits_of(1, Class::chat, Key::user(user)), 1);
    EXPECT_EQ(admit(Class::chat, Key::user("usr_4")).error().code, Errc::overloaded);
    EXPECT_EQ(admits_of(30, Class::chat, Key::user("usr_1")), 29);
    EXPECT_EQ(admits_of(1, Class::general, Key::user("usr_4")), 1);
    clock.advance(60s);
    EXPECT_EQ(admits_of(31, Class::chat, Key::user("usr_4")), 30);
}

TEST_F(LocalLimiterTest, ChargesNoKeyOfTwoWhenOneFindsNoPlace)
{
    users = 1;
    logins = 4;
    open();
    ASSERT_EQ(admits_of(1, Class::auth, Key::login("log_1")), 1);
    for (int i = 2; i < 5; ++i) ASSERT_EQ(admits_of(1, Class::auth, nth_address(i)), 1);
    const Keys keys(nth_address(1), Key::login("log_2"));
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(admit(Class::auth, keys).error().code, Errc::overloaded);
    EXPECT_EQ(remaining(Class::auth, nth_address(1)), 10U);
    // The fourth place does not stay taken, either.
    EXPECT_EQ(admits_of(11, Class::auth, nth_address(5)), 10);
    EXPECT_EQ(remaining(Class::auth, nth_address(6)), 10U);
    EXPECT_FALSE(admit(Class::auth, Keys(Key::login("log_3"), nth_address(2))));
    EXPECT_EQ(remaining(Class::auth, nth_address(2)), 9U);
}

TEST_F(LocalLimiterTest, TakesNoPlaceForARefusedRequest)
{
    logins = 1;
    open();
    ASSERT_EQ(admits_of(11, Class::auth, Key::account("ana")), 10);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(admits_of(1, Class::auth, Keys(nth_address(i), Key::account("ana"))), 0);
    EXPECT_EQ(admits_of(11, Class::auth, nth_address(101)), 10);
    EXPECT_EQ(admits_of(11, Class::auth, nth_address(102)), 10);  // Shared; no other is.
}

TEST_F(LocalLimiterTest, ServesNewcomersThoughThousandsOfNetworksLogIn)
{
    logins = 1024;
    open();
    for (int i = 0; i < 3000; ++i) {
        const auto from = boost::asio::ip::make_address(fmt::format("2001:db8:{:x}::1", i));
        block_on(limiter->admit(Class::auth, Keys::address(from)).wait());
    }
    EXPECT_EQ(admits_of(11, Class::auth, nth_address(1)), 10);
    EXPECT_EQ(
        admits_of(1, Class::auth, Keys::address(boost::asio::ip::make_address("2001:db9::1"))), 0);
    clock.advance(60s);
    EXPECT_EQ(admits_of(11, Class::auth, nth_address(1)), 10);
}

TEST_F(LocalLimiterTest, FindsEveryKeyHoweverOftenPlacesChangeHands)
{
    addresses = 32;
    limits = {.general = 2};
    open();
    for (int i = 0; i < 3000; ++i) {
        const Key key =
            address(("10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250)).c_str());
        ASSERT_EQ(admits_of(3, Class::general, key), 2) << i;
        clock.advance(2s);
    }
}

TEST_F(LocalLimiterTest, RefusesACombinationThatHasNoTable)
{
    open();
    const auto refused = admit(Class::chat, nth_address(1));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::internal);
}

TEST_F(LocalLimiterTest, HasRoomForFewerWhenALimitIsHighAndSaysSo)
{
    users = 100'000;
    limits = {.chat = 10'000};
    const std::string said = log_of_open();
    EXPECT_NE(said.find("a high limit leaves room for few keys in the rate-limit file"), said.npos)
        << said;
    EXPECT_NE(said.find(R"("class":"chat","limit":10000,"room":8)"), said.npos) << said;
    EXPECT_EQ(admits_of(10'001, Class::chat, Key::user("usr_1")), 10'000);
}

TEST_F(LocalLimiterTest, TakesADefaultSizeThatAnyMachineCanSpare)
{
    ASSERT_TRUE(LocalLimiter::open({.file = file}));
    EXPECT_LT(std::filesystem::file_size(file), 80U * 1024 * 1024);
}

TEST_F(LocalLimiterTest, CountsByTheTimeSinceTheMachineWasStarted)
{
    limiter = LocalLimiter::open({.file = file}).value();
    EXPECT_EQ(admits_of(31, Class::chat, Key::user("usr_1")), 30);
    limiter.reset();
    limiter = LocalLimiter::open({.file = file}).value();
    EXPECT_EQ(admits_of(1, Class::chat, Key::user("usr_1")), 0);
    EXPECT_GT(boot_clock().steady(), SteadyPoint());
    EXPECT_EQ(boot_id().size(), 36U);
}

TEST_F(LocalLimiterTest, RefusesLimitsThatCannotBe)
{
    limits = {.chat = 0};
    EXPECT_EQ(LocalLimiter::open(options()).error().code, Errc::invalid_request);
}

}  // namespace
}  // namespace parley::limits::local
