// The contract tests of second factors.
#include "store/contract_fixture.hpp"

#include <algorithm>

namespace parley::store {
namespace {

class SecondFactorsContract : public ContractTest {
protected:
    static constexpr const char* secret = "sealed \x01\xff";

    static CodeHash code(unsigned char number)
    {
        CodeHash hash{};
        hash[0] = number;
        return hash;
    }
    Result<User> change(const User& user, UserChange change)
    {
        return block_on(accounts().change_user(user.id, std::move(change)));
    }
    User found(const User& user) { return block_on(accounts().find_user(user.id)).value(); }
    std::int64_t codes_of(const User& user)
    {
        return block_on(accounts().count_recovery_codes(user.id)).value();
    }
    Result<std::optional<SecondFactorUse>> attempt(const User& user, JudgeCode judge,
                                                   unsigned char number = 0)
    {
        last_attempt = clock.now();  // Each event is a moment later.
        return block_on(accounts().try_code(user.id, code(number), std::move(judge), last_attempt,
                                            new_event(user.id)));
    }
    bool has(const User& user, unsigned char number)
    {
        bool is_there = false;
        const auto judge = [&](const std::optional<Totp>&, bool is_recovery_code) {
            is_there = is_recovery_code;
            return CodeVerdict{.use = SecondFactorUse()};
        };
        EXPECT_TRUE(attempt(user, judge, number).value());
        return is_there;
    }
    void guess_wrong(const User& user, bool counts = true)
    {
        const auto judge = [=](const std::optional<Totp>&, bool) {
            return CodeVerdict{.counts = counts};
        };
        EXPECT_EQ(attempt(user, judge).value(), std::nullopt);
    }
    User protected_user(const std::string& name)
    {
        const User user = added_user(name);
        EXPECT_TRUE(change(user, {.totp_pending = secret}));
        EXPECT_TRUE(change(user, {.confirmed_totp = ConfirmedTotp{secret, 100},
                                  .recovery_codes = {{code(1), code(2), code(3)}}}));
        return found(user);
    }
    Result<> begin(const User& user, SecondFactorUse use)
    {
        const auto login = new_login(user);
        return block_on(tokens().begin_login(login.login, login.access, login.refresh,
                                             {.second_factor = std::move(use)}));
    }

    TimePoint last_attempt;
};

TEST_F(SecondFactorsContract, ConfirmsTheSecretThatIsPending)
{
    const User ana = added_user("ana");
    EXPECT_EQ(found(ana).totp, std::nullopt);
    EXPECT_EQ(change(ana, {.confirmed_totp = ConfirmedTotp{secret, 1}}).error().code,
              Errc::conflict);
    EXPECT_EQ(change(ana, {.totp_pending = "replaced"})->totp_pending, "replaced");
    EXPECT_EQ(change(ana, {.totp_pending = secret})->totp, std::nullopt);
    EXPECT_EQ(change(ana, {.confirmed_totp = ConfirmedTotp{"replaced", 1}}).error().code,
              Errc::conflict);
    const User changed = change(ana, {.confirmed_totp = ConfirmedTotp{secret, 7}}).value();
    EXPECT_EQ(changed.totp, (Totp{.secret = secret, .last_step = 7}));
    EXPECT_EQ(changed.totp_pending, "");
    EXPECT_EQ(found(ana), changed);
    ASSERT_TRUE(change(ana, {.totp_pending = "another"}));
    EXPECT_EQ(change(ana, {.confirmed_totp = ConfirmedTotp{"another", 8}}).error().code,
              Errc::conflict)
        << "there is a second factor";
}

TEST_F(SecondFactorsContract, EndsOtherLoginsWhenItChanges)
{
    const User ana = added_user("ana");
    const auto kept = begun_login(ana, "kept");
    const auto ended = begun_login(ana, "ended");
    const Token personal = added_token('p', ana.id);
    ASSERT_TRUE(change(ana, {.totp_pending = secret}));
    EXPECT_TRUE(is_there(ended.access)) << "nothing has changed yet";
    ASSERT_TRUE(
        change(ana, {.confirmed_totp = ConfirmedTotp{secret, 1}, .login_to_keep = kept.login.id}));
    EXPECT_FALSE(is_there(ended.access));
    EXPECT_TRUE(is_there(kept.access));
    ASSERT_TRUE(change(ana, {.removes_totp = true}));
    EXPECT_FALSE(is_there(kept.access));
    EXPECT_TRUE(is_there(personal));
}

TEST_F(SecondFactorsContract, AcceptsACodeOnceAndNoneThatIsOlder)
{
    const User ana = protected_user("ana");
    EXPECT_EQ(begin(ana, {.secret = secret, .step = 100}).error().code, Errc::conflict);
    EXPECT_TRUE(begin(ana, {.secret = secret, .step = 101}));
    EXPECT_EQ(begin(ana, {.secret = secret, .step = 101}).error().code, Errc::conflict);
    EXPECT_EQ(begin(ana, {.secret = secret, .step = 99}).error().code, Errc::conflict);
    EXPECT_EQ(
        change(ana, {.removes_totp = true, .second_factor = {{.secret = secret, .step = 101}}})
            .error()
            .code,
        Errc::conflict);
    EXPECT_TRUE(found(ana).totp);
    EXPECT_TRUE(
        change(ana, {.removes_totp = true, .second_factor = {{.secret = secret, .step = 102}}}));
    EXPECT_EQ(found(ana).totp, std::nullopt);
}

TEST_F(SecondFactorsContract, LetsOneOfManyLoginsUseACode)
{
    const User ana = protected_user("ana");
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < 20; ++i) {
        const auto login = new_login(ana);
        SecondFactorUse use{.secret = secret};
        if (i % 2 == 0)
            use.step = 101;
        else
            use.recovery_code = code(1);
        tasks.push_back(tokens().begin_login(login.login, login.access, login.refresh,
                                             {.second_factor = std::move(use)}));
    }
    const auto results = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }), 2);
    EXPECT_EQ(listed(ana.id).items.size(), 2U);
}

TEST_F(SecondFactorsContract, RefusesAnotherSecretThanTheOneThatWasChecked)
{
    const User ana = protected_user("ana");
    EXPECT_EQ(begin(ana, {}).error().code, Errc::conflict) << "it was set up meanwhile";
    EXPECT_EQ(begin(ana, {.secret = "another", .step = 101}).error().code, Errc::conflict);
    const User ben = added_user("ben");
    EXPECT_TRUE(begin(ben, {}));
    EXPECT_EQ(begin(ben, {.secret = secret, .step = 101}).error().code, Errc::conflict)
        << "it was removed meanwhile";
}

TEST_F(SecondFactorsContract, TakesARecoveryCodeOnce)
{
    const User ana = protected_user("ana");
    const User ben = protected_user("ben");
    EXPECT_EQ(codes_of(ana), 3);
    EXPECT_TRUE(has(ana, 1));
    EXPECT_FALSE(has(ana, 9));
    EXPECT_TRUE(begin(ana, {.secret = secret, .recovery_code = code(1)}));
    EXPECT_EQ(begin(ana, {.secret = secret, .recovery_code = code(1)}).error().code,
              Errc::conflict);
    EXPECT_FALSE(has(ana, 1));
    EXPECT_TRUE(has(ben, 1));
    EXPECT_EQ(codes_of(ana), 2);
    ASSERT_TRUE(change(ana, {.recovery_codes = {{code(7)}}}));
    EXPECT_EQ(codes_of(ana), 1);
    EXPECT_TRUE(has(ana, 7));
    ASSERT_TRUE(change(ana, {.removes_totp = true}));
    EXPECT_EQ(codes_of(ana), 0);
    ASSERT_TRUE(block_on(accounts().remove_user(ben.id)));
    EXPECT_EQ(codes_of(ben), 0);
}

TEST_F(SecondFactorsContract, CountsWrongCodesUntilOneIsRight)
{
    const User ana = protected_user("ana");
    const User ben = protected_user("ben");
    guess_wrong(ana);
    guess_wrong(ana);
    const TimePoint last_counted = last_attempt;
    guess_wrong(ana, false);
    EXPECT_EQ(found(ana).totp->failures, 2);
    EXPECT_EQ(found(ana).totp->failed_at, last_counted);
    EXPECT_EQ(found(ben), ben);
    EXPECT_EQ(audited().size(), 3U);
    ASSERT_TRUE(change(ana, {.display_name = "Ana"}));
    EXPECT_EQ(found(ana).totp->failures, 2);
    ASSERT_TRUE(begin(ana, {.secret = secret, .step = 101}));
    EXPECT_EQ(found(ana).totp, (Totp{.secret = secret, .last_step = 101}));
    guess_wrong(ana);
    ASSERT_TRUE(begin(ana, {.secret = secret, .recovery_code = code(2)}));
    EXPECT_EQ(found(ana).totp->failures, 0);
}

TEST_F(SecondFactorsContract, IsTriedAsItIsNow)
{
    const User ana = protected_user("ana");
    const User ben = added_user("ben");
    const auto refuse = [](const std::optional<Totp>& totp, bool) -> Result<CodeVerdict> {
        return Error{Errc::rate_limited, totp ? totp->secret : "none"};
    };
    EXPECT_EQ(attempt(ana, refuse).error().message, secret);
    EXPECT_EQ(attempt(ben, refuse).error().message, "none");
    EXPECT_EQ(attempt(new_user("nobody"), refuse).error().code, Errc::not_found);
    EXPECT_EQ(found(ana), ana);
    EXPECT_TRUE(audited().empty());
}

TEST_F(SecondFactorsContract, AttemptsAtOnceSeeTheFailuresOfEachOther)
{
    const User ana = protected_user("ana");
    const JudgeCode judge = [](const std::optional<Totp>& totp, bool) -> Result<CodeVerdict> {
        if (totp->failures < 5) return CodeVerdict{.counts = true};
        return Error{Errc::rate_limited, "too many"};
    };
    std::vector<Task<Result<std::optional<SecondFactorUse>>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(
            accounts().try_code(ana.id, code(0), judge, clock.now(), new_event(ana.id)));
    const auto results = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }), 5);
    EXPECT_EQ(found(ana).totp->failures, 5);
}

TEST_F(SecondFactorsContract, IsNeededToResetAPassword)
{
    const User ana = protected_user("ana");
    const CodeHash link = code(50);
    ASSERT_TRUE(change(ana, {.reset_link = {{link, clock.now() + 24h}}}));
    const auto reset = [&](SecondFactorUse use) {
        return block_on(accounts().reset_password(link, clock.now(), "new", std::move(use)));
    };
    EXPECT_EQ(reset({.secret = secret, .step = 100}).error().code, Errc::conflict);
    EXPECT_EQ(reset({}).error().code, Errc::conflict);
    EXPECT_EQ(found(ana).password_hash, ana.password_hash);
    const auto changed = reset({.secret = secret, .step = 101});
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->password_hash, "new");
    EXPECT_TRUE(changed->totp) << "a new password is no way around the second factor";
}

TEST_F(SecondFactorsContract, IsNotPassedByAnInvitation)
{
    const User ana = protected_user("ana");
    const CodeHash invitation = code(50);
    ASSERT_TRUE(change(ana, {.invitation = {{invitation, clock.now() + 24h}}}));
    const auto accept = [&] {
        return block_on(accounts().accept_invitation(invitation, clock.now(), "new"));
    };
    EXPECT_EQ(accept().error().code, Errc::conflict);
    EXPECT_EQ(found(ana).password_hash, ana.password_hash);
    ASSERT_TRUE(change(ana, {.removes_totp = true}));
    EXPECT_EQ(accept()->password_hash, "new");
}

TEST_F(SecondFactorsContract, KeepsWhatItSaidItKept)
{
    if (!keeps()) return;
    const User ana = protected_user("ana");
    reopen();
    EXPECT_EQ(found(ana), ana);
    EXPECT_EQ(codes_of(ana), 3);
}

}  // namespace
}  // namespace parley::store
