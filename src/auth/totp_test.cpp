#include "auth/totp.hpp"

#include <gtest/gtest.h>

#include <array>

namespace parley::auth {
namespace {

using std::chrono::seconds;

const Secret& key_of_the_standard()
{
    static const Secret key("12345678901234567890");
    return key;
}

// RFC 4226, appendix D.
TEST(Totp, MakesTheCodesOfRfc4226)
{
    constexpr std::array<std::uint32_t, 10> codes{755224, 287082, 359152, 969429, 338314,
                                                  254676, 287922, 162583, 399871, 520489};
    for (std::size_t counter = 0; counter < codes.size(); ++counter)
        EXPECT_EQ(hotp(key_of_the_standard(), counter), codes.at(counter)) << counter;
}

// RFC 6238, appendix B: the last six of its eight digits.
TEST(Totp, MakesTheCodesOfRfc6238)
{
    struct Vector {
        std::int64_t time;
        std::string_view code;
    };
    for (const auto& [time, code] :
         {Vector{59, "287082"}, Vector{1111111109, "081804"}, Vector{1111111111, "050471"},
          Vector{1234567890, "005924"}, Vector{2000000000, "279037"}}) {
        const TimePoint now{seconds(time)};
        EXPECT_EQ(find_totp_step(key_of_the_standard(), code, now, 0), totp_step(now)) << time;
        EXPECT_EQ(totp_step(now), time / 30);
    }
    // Its last time, in the year 2603, is later than a TimePoint can be.
    EXPECT_EQ(hotp(key_of_the_standard(), 20000000000 / 30), 353130U);
}

TEST(Totp, AcceptsTheStepBeforeAndTheStepAfter)
{
    const TimePoint now{seconds(1111111109)};  // The last second of its step.
    const std::int64_t step = totp_step(now);
    const auto find = [&](seconds later) {
        return find_totp_step(key_of_the_standard(), "081804", now + later, 0);
    };
    EXPECT_EQ(find(seconds(0)), step);
    EXPECT_EQ(find(seconds(30)), step);
    EXPECT_EQ(find(seconds(31)), std::nullopt);
    EXPECT_EQ(find(-seconds(30)), step);
    EXPECT_EQ(find(-seconds(59)), step);
    EXPECT_EQ(find(-seconds(60)), std::nullopt);
}

TEST(Totp, AcceptsNoCodeThatIsNotNewer)
{
    const TimePoint now{seconds(1111111109)};
    const std::int64_t step = totp_step(now);
    EXPECT_EQ(find_totp_step(key_of_the_standard(), "081804", now, step - 1), step);
    EXPECT_EQ(find_totp_step(key_of_the_standard(), "081804", now, step), std::nullopt);
    EXPECT_EQ(find_totp_step(key_of_the_standard(), "081804", now, step + 1), std::nullopt);
}

TEST(Totp, RefusesEverythingElse)
{
    const TimePoint now{seconds(1111111109)};
    for (const std::string_view code : {"", "081805", "81804", "0081804", "08180a", "07081804"})
        EXPECT_EQ(find_totp_step(key_of_the_standard(), code, now, 0), std::nullopt) << code;
    EXPECT_EQ(find_totp_step(Secret("another key of 20 by"), "081804", now, 0), std::nullopt);
    EXPECT_EQ(find_totp_step(key_of_the_standard(), "755224", TimePoint(), -1), 0)
        << "before the first step there is none";
}

TEST(Totp, MakesKeysAndAddresses)
{
    EXPECT_EQ(new_totp_key().reveal().size(), 20U);
    EXPECT_FALSE(new_totp_key().equals(new_totp_key().reveal()));
    EXPECT_EQ(totp_uri("chat.example.org", "ana@example.org & co", key_of_the_standard()),
              "otpauth://totp/chat.example.org:ana%40example.org%20%26%20co"
              "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=chat.example.org"
              "&algorithm=SHA1&digits=6&period=30");
}

}  // namespace
}  // namespace parley::auth
