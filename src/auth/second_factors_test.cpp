#include "auth/second_factors.hpp"

#include "auth/people_for_tests.hpp"
#include "auth/totp.hpp"

#include <fmt/format.h>

namespace parley::auth {
namespace {

using namespace std::chrono_literals;

class SecondFactorsTest : public PeopleTest {
protected:
    SecondFactorsTest()
    {
        factors.use_key(Secret("a key of the server"));
        clock.advance(1s);
    }

    CallerRef caller_of(const LoggedIn& login) { return identify(login.access).value(); }
    static std::string code_at(const Secret& key, TimePoint time)
    {
        return fmt::format("{:06}", hotp(key, static_cast<std::uint64_t>(totp_step(time))));
    }
    // The next code that was not used yet.
    std::string next_code(const Secret& key)
    {
        clock.advance(30s);
        return code_at(key, clock.now());
    }
    Result<LoggedIn> try_login(std::string code, const char* word = password)
    {
        return block_on(logins.log_in("ana", Secret(word), "", origin, std::move(code)));
    }
    // Sets up a second factor for ana.
    TotpEnrolment protect(const CallerRef& caller)
    {
        auto made = block_on(factors.enrol(caller, Secret(password))).value();
        codes = block_on(factors.confirm(caller, next_code(made.key), origin)).value();
        return made;
    }

    const store::User ana = add("ana");
    std::vector<Secret> codes;
};

TEST_F(SecondFactorsTest, AreConfirmedByACode)
{
    const auto here = log_in("ana");
    const auto there = log_in("ana");
    const auto caller = caller_of(here);
    const auto confirm = [&](const std::string& code) {
        return block_on(factors.confirm(caller, code, origin));
    };
    EXPECT_EQ(confirm("123456").error().code, Errc::conflict);
    EXPECT_EQ(block_on(factors.enrol(caller, Secret("wrong"))).error().faults.at(0).where,
              "#/password");
    const auto first = block_on(factors.enrol(caller, Secret(password))).value();
    const auto made = block_on(factors.enrol(caller, Secret(password))).value();
    EXPECT_EQ(made.username, "ana");
    EXPECT_TRUE(try_login("")) << "nothing changes before the first code";
    const auto stored = block_on(store->accounts().find_user(ana.id)).value();
    EXPECT_EQ(stored.totp_pending.find(made.key.reveal()), std::string::npos);

    EXPECT_EQ(confirm(code_at(first.key, clock.now())).error().faults.at(0).where, "#/code")
        << "the first key was replaced";
    const auto confirmed = confirm(code_at(made.key, clock.now()));
    ASSERT_TRUE(confirmed);
    EXPECT_EQ(confirmed->size(), 10U);
    EXPECT_EQ(last_action(), "totp.enabled");
    EXPECT_TRUE(identify(here.access));
    EXPECT_FALSE(identify(there.access));
    EXPECT_EQ(confirm(code_at(made.key, clock.now())).error().code, Errc::conflict);
    EXPECT_EQ(block_on(factors.enrol(caller, Secret(password))).error().code, Errc::conflict);
    const auto state = block_on(factors.state(ana.id)).value();
    EXPECT_TRUE(state.enabled);
    EXPECT_EQ(state.recovery_codes_left, 10);
}

TEST_F(SecondFactorsTest, AreNeededToLogIn)
{
    const auto made = protect(caller_of(log_in("ana")));
    EXPECT_EQ(try_login("").error().code, Errc::second_factor_required);
    EXPECT_EQ(try_login("", "wrong").error().code, Errc::invalid_credentials)
        << "a wrong password does not reveal the second factor";
    EXPECT_EQ(try_login(code_at(made.key, clock.now())).error().code, Errc::invalid_credentials)
        << "the code has confirmed the second factor";
    EXPECT_EQ(last_action(), "totp.refused");
    const std::string code = next_code(made.key);
    EXPECT_EQ(try_login(code, "wrong").error().code, Errc::invalid_credentials);
    EXPECT_TRUE(try_login(code.substr(0, 3) + " " + code.substr(3)));
    EXPECT_EQ(last_action(), "login");
    EXPECT_EQ(try_login(code).error().code, Errc::invalid_credentials) << "once";
}

TEST_F(SecondFactorsTest, TakeARecoveryCodeOnce)
{
    protect(caller_of(log_in("ana")));
    const std::string code(codes.at(4).reveal());
    EXPECT_TRUE(try_login(code));
    EXPECT_EQ(last_action(), "login.by_recovery_code");
    EXPECT_EQ(try_login(code).error().code, Errc::invalid_credentials);
    EXPECT_EQ(block_on(factors.state(ana.id))->recovery_codes_left, 9);
}

TEST_F(SecondFactorsTest, WaitLongerAfterWrongCodes)
{
    const auto made = protect(caller_of(log_in("ana")));
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(try_login("wrong").error().code, Errc::invalid_credentials) << i;
    const auto refused = try_login(next_code(made.key));
    ASSERT_EQ(refused.error().code, Errc::rate_limited);
    EXPECT_EQ(refused.error().retry_after, 30s) << "a minute after the last wrong code";
    EXPECT_EQ(try_login("", "wrong").error().code, Errc::invalid_credentials);
    clock.advance(30s);
    EXPECT_EQ(try_login("wrong").error().code, Errc::invalid_credentials);
    clock.advance(119s);
    EXPECT_EQ(try_login("wrong").error().code, Errc::rate_limited);
    clock.advance(1s);
    EXPECT_TRUE(try_login(next_code(made.key)));
    EXPECT_EQ(try_login("wrong").error().code, Errc::invalid_credentials) << "counted from 1";
    EXPECT_TRUE(try_login(next_code(made.key)));
}

TEST_F(SecondFactorsTest, CountNoCodeThatWasRightBefore)
{
    const auto made = protect(caller_of(log_in("ana")));
    const std::string code = next_code(made.key);
    EXPECT_TRUE(try_login(code));
    for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(try_login(code).error().code, Errc::invalid_credentials) << i;
        EXPECT_EQ(last_action(), "totp.refused");
    }
    EXPECT_TRUE(try_login(next_code(made.key)));
}

TEST_F(SecondFactorsTest, NeverWaitMoreThanAnHour)
{
    const auto made = protect(caller_of(log_in("ana")));
    for (int i = 0; i < 60; ++i) {
        EXPECT_EQ(try_login("wrong").error().code, Errc::invalid_credentials) << i;
        clock.advance(1h);
    }
    EXPECT_TRUE(try_login(code_at(made.key, clock.now())));
}

TEST_F(SecondFactorsTest, AreDisabledWithPasswordAndCode)
{
    const auto login = log_in("ana");
    const auto caller = caller_of(login);
    const auto disable = [&](const char* word, const std::string& code) {
        return block_on(factors.disable(caller, Secret(word), code, origin));
    };
    EXPECT_EQ(disable(password, "wrong").error().code, Errc::conflict);
    const auto made = protect(caller);
    const auto other = try_login(next_code(made.key)).value();
    EXPECT_EQ(disable("wrong", next_code(made.key)).error().faults.at(0).where, "#/password");
    EXPECT_EQ(disable(password, "wrong").error().faults.at(0).where, "#/code");
    EXPECT_TRUE(disable(password, next_code(made.key)));
    EXPECT_EQ(last_action(), "totp.disabled");
    EXPECT_TRUE(identify(login.access));
    EXPECT_FALSE(identify(other.access));
    EXPECT_TRUE(try_login(""));
    EXPECT_TRUE(try_login("123456")) << "a code that is not needed is ignored";
}

TEST_F(SecondFactorsTest, GetNewRecoveryCodes)
{
    const auto caller = caller_of(log_in("ana"));
    const auto made = protect(caller);
    const auto renewed = block_on(
        factors.renew_recovery_codes(caller, Secret(password), next_code(made.key), origin));
    ASSERT_TRUE(renewed);
    EXPECT_EQ(last_action(), "totp.recovery_codes_renewed");
    EXPECT_EQ(try_login(std::string(codes.at(0).reveal())).error().code, Errc::invalid_credentials);
    EXPECT_TRUE(try_login(std::string(renewed->at(0).reveal())));
}

TEST_F(SecondFactorsTest, AreRemovedByAnOperator)
{
    const auto login = log_in("ana");
    EXPECT_EQ(block_on(factors.remove(ana.id, "test", origin)).error().code, Errc::not_found);
    protect(caller_of(login));
    EXPECT_TRUE(block_on(factors.remove(ana.id, "test", origin)));
    EXPECT_EQ(last_action(), "totp.removed");
    EXPECT_FALSE(identify(login.access));
    EXPECT_TRUE(try_login(""));
    EXPECT_EQ(block_on(factors.remove("usr_none", "test", origin)).error().code, Errc::not_found);
}

TEST_F(SecondFactorsTest, AreNotPassedByLinks)
{
    const auto made = protect(caller_of(log_in("ana")));
    const auto invited = block_on(accounts.invite(ana.id, "test", origin)).value();
    EXPECT_EQ(block_on(accounts.accept(Secret(invited.invitation->text.reveal()), Secret(password),
                                       origin))
                  .error()
                  .code,
              Errc::second_factor_required);
    const auto link = block_on(accounts.make_reset_link(ana.id, "test", origin)).value();
    const auto reset = [&](const std::string& code) {
        return block_on(accounts.reset(Secret(link.text.reveal()), Secret(password), code, origin));
    };
    EXPECT_EQ(reset("").error().code, Errc::second_factor_required);
    EXPECT_EQ(reset("wrong").error().code, Errc::invalid_credentials);
    EXPECT_TRUE(reset(next_code(made.key)));
    EXPECT_EQ(try_login("").error().code, Errc::second_factor_required);
}

}  // namespace
}  // namespace parley::auth
