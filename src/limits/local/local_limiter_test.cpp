#include "limits/local/local_limiter.hpp"

#include "limits/limiter_contract.hpp"
#include "limits/local/limiter_for_tests.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::limits {

struct MakesLocal {
    std::unique_ptr<Limiter> open(const Limits& limits, const Clock& clock)
    {
        return LocalLimiter::open({.file = folder.path() / "limits",
                                   .limits = limits,
                                   .users = 2000,
                                   .addresses = 2000,
                                   .clock = &clock,
                                   .boot_id = "one"})
            .value();
    }

    ScratchFolder folder;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Local, LimiterContract, MakesLocal);

namespace {

Key nth_address(int number) { return address(("198.51.100." + std::to_string(number)).c_str()); }

TEST_F(LocalLimiterTest, TellsUnknownAddressesThatItIsOverloadedWhenAllPlacesAreLive)
{
    addresses = 8;
    open();
    for (int i = 0; i < 8; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
    clock.advance(20s);

    const auto refused = admit(Class::general, nth_address(8));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::overloaded);
    EXPECT_EQ(refused.error().retry_after, 40s);
    // Those who have a place go on with their own counts, and users do not notice.
    for (int i = 0; i < 8; ++i) EXPECT_EQ(remaining(Class::general, nth_address(i)), 99U);
    EXPECT_EQ(admits_of(100, Class::general, nth_address(0)), 99);
    EXPECT_EQ(admits_of(101, Class::general, Key::user("usr_1")), 100);
    EXPECT_EQ(admits_of(1, Class::auth, nth_address(8)), 1);
}

TEST_F(LocalLimiterTest, GivesThePlaceOfADeadKeyToANewOneAndNeverThatOfALiveOne)
{
    addresses = 8;
    open();
    for (int i = 0; i < 8; ++i) {
        ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
        clock.advance(1s);
    }
    ASSERT_EQ(admits_of(1, Class::general, nth_address(0)), 1);  // Lives on, the others do not.
    clock.advance(60s - 1ns);
    for (int i = 100; i < 107; ++i) ASSERT_EQ(admits_of(1, Class::general, nth_address(i)), 1);
    EXPECT_FALSE(admit(Class::general, nth_address(107)));
    EXPECT_EQ(remaining(Class::general, nth_address(0)), 99U);
    clock.advance(1ns);
    EXPECT_EQ(admits_of(1, Class::general, nth_address(107)), 1);
    EXPECT_EQ(admits_of(101, Class::general, nth_address(107)), 99);
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
    addresses = 16;  // Four of which may log in.
    open();
    ASSERT_EQ(admits_of(1, Class::auth, Key::login("log_1")), 1);
    for (int i = 2; i < 5; ++i) ASSERT_EQ(admits_of(1, Class::auth, nth_address(i)), 1);
    const Keys keys(nth_address(1), Key::login("log_2"));
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(admit(Class::auth, keys).error().code, Errc::overloaded);
    EXPECT_EQ(remaining(Class::auth, nth_address(1)), 10U);
    // Nor does the fourth place stay taken.
    EXPECT_EQ(admits_of(1, Class::auth, nth_address(5)), 1);
    EXPECT_FALSE(admit(Class::auth, nth_address(6)));
    EXPECT_FALSE(admit(Class::auth, Keys(Key::login("log_3"), nth_address(2))));
    EXPECT_EQ(remaining(Class::auth, nth_address(2)), 9U);
}

TEST_F(LocalLimiterTest, TakesNoPlaceForARefusedRequest)
{
    addresses = 4;  // One of which may log in.
    open();
    ASSERT_EQ(admits_of(11, Class::auth, Key::account("ana")), 10);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(admits_of(1, Class::auth, Keys(nth_address(i), Key::account("ana"))), 0);
    EXPECT_EQ(admits_of(1, Class::auth, Keys(nth_address(1), Key::account("bob"))), 1);
}

TEST_F(LocalLimiterTest, RunsOutOfAddressesBeforeItRunsOutOfNames)
{
    addresses = 1024;  // 256 of which may log in, for 2,560 names.
    open();
    int name = 0;
    for (int i = 0; i < 256; ++i) {
        const Key from = address(("10.0.1." + std::to_string(i)).c_str());
        for (int j = 0; j < 10; ++j) {
            const std::string text = "name" + std::to_string(++name);
            ASSERT_EQ(admits_of(1, Class::auth, Keys(from, Key::account(text))), 1);
        }
    }
    EXPECT_FALSE(admit(Class::auth, Keys(nth_address(1), Key::account("name1"))));
    EXPECT_EQ(remaining(Class::auth, Key::account("name1")), 9U);
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
    EXPECT_NE(said.find("a high limit leaves room for few at a time"), said.npos) << said;
    EXPECT_NE(said.find(R"("class":"chat","limit":10000,"counted_by":"user","room":8)"), said.npos)
        << said;
    EXPECT_EQ(admits_of(10'001, Class::chat, Key::user("usr_1")), 10'000);
}

TEST_F(LocalLimiterTest, TakesADefaultSizeThatAnyMachineCanSpare)
{
    ASSERT_TRUE(LocalLimiter::open({.file = file}));
    EXPECT_LT(std::filesystem::file_size(file), 48U * 1024 * 1024);
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
}  // namespace parley::limits
