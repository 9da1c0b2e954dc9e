// The second part of the contract of limiters: returned admissions, keys with their own limits, and
// networks. See limiter_contract.hpp.
#pragma once

#include "limits/limiter_contract.hpp"

namespace parley::limits {

template <class Maker>
class LimiterNumbersContract : public LimiterContract<Maker> {
protected:
    void give_back(Class of, const Keys& keys, const Decision& decision)
    {
        ASSERT_TRUE(block_on(this->limiter->give_back(of, keys, decision.receipt)));
    }
    Keys both(std::uint32_t of_user, std::uint32_t of_token)
    {
        return {Key::user("usr_1").limited_to(of_user), Key::token("tok_1").limited_to(of_token)};
    }
};

TYPED_TEST_SUITE_P(LimiterNumbersContract);

TYPED_TEST_P(LimiterNumbersContract, FreesAtOnceWhatIsGivenBack)
{
    const Keys key = Key::user("usr_1");
    this->admits_of(29, Class::chat, key);
    const Decision last = this->admit(Class::chat, key);
    ASSERT_FALSE(this->admits(Class::chat, key));
    this->give_back(Class::chat, key, last);
    EXPECT_EQ(this->peek(Class::chat, key).remaining, 1U);
    EXPECT_EQ(this->admits_of(2, Class::chat, key), 1);
}

TYPED_TEST_P(LimiterNumbersContract, GivesBackTheAdmissionThatWasMadeAndNoOther)
{
    const Keys key = Key::user("usr_1");
    std::vector<Decision> made;
    for (int i = 0; i < 30; ++i) {
        made.push_back(this->admit(Class::chat, key));
        this->clock.advance(1s);
    }
    for (const std::size_t i : {3U, 17U, 29U}) this->give_back(Class::chat, key, made[i]);
    EXPECT_EQ(this->admits_of(4, Class::chat, key), 3);
    // The others become free at their original times: 0 to 2 at 60 to 62 s, 4 at 64 s.
    this->clock.advance(32s);
    EXPECT_EQ(this->admits_of(4, Class::chat, key), 3);
    this->clock.advance(1s);
    EXPECT_FALSE(this->admits(Class::chat, key));
    this->clock.advance(1s);
    EXPECT_EQ(this->admits_of(2, Class::chat, key), 1);
}

TYPED_TEST_P(LimiterNumbersContract, GivesBackToEveryKeyOfTheRequest)
{
    const Keys keys(address("192.0.2.1"), Key::account("ana"));
    this->give_back(Class::auth, keys, this->admit(Class::auth, keys));
    EXPECT_EQ(this->peek(Class::auth, address("192.0.2.1")).remaining, 10U);
    EXPECT_EQ(this->peek(Class::auth, Key::account("ana")).remaining, 10U);
}

TYPED_TEST_P(LimiterNumbersContract, GivesNothingBackThatIsOver)
{
    const Keys key = Key::user("usr_1");
    const Decision first = this->admit(Class::chat, key);
    this->clock.advance(60s);
    this->admits_of(30, Class::chat, key);
    this->give_back(Class::chat, key, first);
    EXPECT_FALSE(this->admits(Class::chat, key));
    this->give_back(Class::chat, Key::user("usr_2"), first);           // It has no admissions.
    this->give_back(Class::chat, key, this->admit(Class::chat, key));  // Refused, so there is
                                                                       // nothing to return.
    EXPECT_FALSE(this->admits(Class::chat, key));
}

TYPED_TEST_P(LimiterNumbersContract, StaysGivenBackAfterARestart)
{
    const Keys key = Key::user("usr_1");
    this->admits_of(20, Class::chat, key);
    const Decision last = this->admit(Class::chat, key);
    this->admits_of(9, Class::chat, key);
    this->give_back(Class::chat, key, last);
    this->reopen({});
    EXPECT_EQ(this->admits_of(2, Class::chat, key), 1);
}

TYPED_TEST_P(LimiterNumbersContract, CountsByAKeysOwnNumber)
{
    for (const std::uint32_t number : {1U, 7U, 30U, 31U, 300U, 1000U}) {
        const std::string id = "usr_" + std::to_string(number);
        const Key key = Key::user(id).limited_to(number);
        EXPECT_EQ(this->peek(Class::chat, key).limit, number);
        EXPECT_EQ(this->peek(Class::chat, key).remaining, number);
        EXPECT_EQ(this->admits_of(static_cast<int>(number) + 5, Class::chat, key),
                  static_cast<int>(number));
        const Decision refused = this->admit(Class::chat, key);
        EXPECT_EQ(refused.limit, number);
        EXPECT_EQ(refused.retry_after, 60s);
    }
    this->reopen({});
    EXPECT_FALSE(this->admits(Class::chat, Key::user("usr_300").limited_to(300)));
    EXPECT_EQ(this->admits_of(31, Class::chat, Key::user("usr_2")), 30)
        << "others have the class's";
}

TYPED_TEST_P(LimiterNumbersContract, StaysExactWhenTheNumberChanges)
{
    std::mt19937 random(5);
    const std::array<std::uint32_t, 6> numbers{3, 20, 30, 35, 60, 90};
    std::vector<SteadyPoint> admitted;
    for (int i = 0; i < 20'000; ++i) {
        this->clock.advance(std::chrono::milliseconds(random() % 1500));
        const std::uint32_t number = numbers[random() / 64 % numbers.size()];
        const auto live = std::ranges::count_if(
            admitted, [&](SteadyPoint each) { return each > this->clock.steady() - 60s; });
        const Key key = Key::user("usr_1").limited_to(number);
        const Decision decision = this->admit(Class::chat, key);
        ASSERT_EQ(decision.admitted, live < number) << i;
        ASSERT_EQ(decision.remaining, std::max<long>(number - live - 1, 0)) << i;
        if (decision.admitted && random() % 4 == 0)
            this->give_back(Class::chat, key, decision);
        else if (decision.admitted)
            admitted.push_back(this->clock.steady());
        if (admitted.size() > 200) admitted.erase(admitted.begin(), admitted.begin() + 100);
        if (i % 5000 == 4999) this->reopen({});
    }
}

TYPED_TEST_P(LimiterNumbersContract, CountsATokenInsideItsUser)
{
    EXPECT_EQ(this->admits_of(6, Class::chat, this->both(20, 5)), 5);
    const Decision refused = this->admit(Class::chat, this->both(20, 5));
    EXPECT_EQ(refused.tightest, Key::Kind::token);
    EXPECT_EQ(refused.limit, 5U);
    EXPECT_EQ(this->peek(Class::chat, Key::user("usr_1").limited_to(20)).remaining, 15U);
    EXPECT_EQ(this->admits_of(20, Class::chat, Key::user("usr_1").limited_to(20)), 15);
    EXPECT_EQ(this->admit(Class::chat, this->both(20, 30)).tightest, Key::Kind::user);
    // The user's limit falls below the token's: the smaller one counts.
    this->clock.advance(60s);
    EXPECT_EQ(this->admits_of(20, Class::chat, this->both(2, 5)), 2);
}

TYPED_TEST_P(LimiterNumbersContract, CountsAnAddressByItsOwnNumberInClassAuth)
{
    this->reopen({.auth = 3, .auth_address = 7});
    for (int i = 0; i < 7; ++i) {
        const std::string name = "name" + std::to_string(i);
        EXPECT_TRUE(this->admits(Class::auth, Keys(address("192.0.2.1"), Key::account(name))));
    }
    const Decision refused =
        this->admit(Class::auth, Keys(address("192.0.2.1"), Key::account("new")));
    EXPECT_EQ(refused.tightest, Key::Kind::address);
    EXPECT_EQ(refused.limit, 7U);
    EXPECT_EQ(this->admits_of(4, Class::auth, Keys(address("192.0.2.2"), Key::account("ana"))), 3);
    EXPECT_EQ(this->admit(Class::auth, Keys(address("192.0.2.2"), Key::account("ana"))).tightest,
              Key::Kind::account);
}

TYPED_TEST_P(LimiterNumbersContract, CountsANetworkByTenTimesTheNumber)
{
    int admitted = 0;
    Decision last;
    for (int i = 0; i < 30; ++i) {
        const auto from = boost::asio::ip::make_address("2001:db8:1:" + std::to_string(i) + "::1");
        for (int j = 0; j < 11; ++j) {
            last = this->admit(Class::auth, Keys::address(from));
            admitted += last.admitted;
        }
    }
    EXPECT_EQ(admitted, 100);
    EXPECT_EQ(last.tightest, Key::Kind::network);
    EXPECT_EQ(last.limit, 100U);
    EXPECT_TRUE(
        this->admits(Class::auth, Keys::address(boost::asio::ip::make_address("2001:db8:2::1"))));
    this->reopen({.general = 500});
    EXPECT_EQ(this->limiter->limits().of_network(Class::general), 1000U);
    EXPECT_EQ((Limits{.general = 5000}.of_network(Class::general)), 5000U);
}

TYPED_TEST_P(LimiterNumbersContract, CountsANetworkInClassGeneral)
{
    this->reopen({.general = 3});
    const auto ask = [&](const std::string& prefix) {
        const auto from = boost::asio::ip::make_address(prefix + "::1");
        return this->admit(Class::general, Keys::address(from));
    };
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(ask("2001:db8:1:" + std::to_string(i)).admitted) << i;
    const Decision refused = ask("2001:db8:1:30");
    EXPECT_FALSE(refused.admitted);
    EXPECT_EQ(refused.tightest, Key::Kind::network);
    EXPECT_EQ(refused.limit, 30U);
    EXPECT_FALSE(ask("2001:db8:1:0").admitted) << "its own address has room for two more";
    EXPECT_TRUE(ask("2001:db8:2:0").admitted);
}

REGISTER_TYPED_TEST_SUITE_P(LimiterNumbersContract, FreesAtOnceWhatIsGivenBack,
                            GivesBackTheAdmissionThatWasMadeAndNoOther,
                            GivesBackToEveryKeyOfTheRequest, GivesNothingBackThatIsOver,
                            StaysGivenBackAfterARestart, CountsByAKeysOwnNumber,
                            StaysExactWhenTheNumberChanges, CountsATokenInsideItsUser,
                            CountsAnAddressByItsOwnNumberInClassAuth,
                            CountsANetworkByTenTimesTheNumber, CountsANetworkInClassGeneral);

}  // namespace parley::limits
