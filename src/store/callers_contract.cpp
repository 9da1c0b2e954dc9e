// Contract tests of changes whose caller's token ends before they are stored.
#include "store/automation_contract_fixture.hpp"

#include <functional>

namespace parley::store {
namespace {

class CallersContract : public AutomationContractTest {
protected:
    struct Attempt {
        const char* what;
        std::function<std::optional<Errc>(const AuditEvent&)> make;
    };

    static std::optional<Errc> code_of(const auto& result)
    {
        if (result) return std::nullopt;
        return result.error().code;
    }
    AuditEvent event_by(const Token& token, bool acts_as_operator = false)
    {
        AuditEvent event = new_event();
        event.by = {.id = token.id, .acts_as_operator = acts_as_operator};
        return event;
    }
    Result<AddedToken> make_token(const AuditEvent& event)
    {
        return block_on(tokens().add_token(new_token('p', ana.id), event));
    }
    Webhook new_webhook()
    {
        const TimePoint now = later();
        return {.id = new_id("whk", now),
                .owner = anas,
                .url = "https://example.com/hook",
                .event_types = "chat.*",
                .metadata = "{}",
                .secret = {.sealed = "sealed", .hint = "…abc="},
                .created_at = now,
                .updated_at = now};
    }
    Automation new_hooked()
    {
        Automation made = new_automation(anas);
        made.hook = Hook{.id = new_id("hok", later()), .secret = "secret", .created_at = later()};
        return made;
    }
    // All that hands out a secret.
    std::vector<Attempt> attempts()
    {
        return {
            {"token", [this](const AuditEvent& event) { return code_of(make_token(event)); }},
            {"user",
             [this](const AuditEvent& event) {
                 return code_of(block_on(accounts().add_user(new_user("new"), event)));
             }},
            {"password",
             [this](const AuditEvent& event) {
                 return code_of(
                     block_on(accounts().change_user(ana.id, {.password_hash = "other"}, {event})));
             }},
            {"webhook",
             [this](const AuditEvent& event) {
                 return code_of(block_on(
                     store->webhooks().create(new_webhook(), 10, std::nullopt, {}, event)));
             }},
            {"secret of a webhook",
             [this](const AuditEvent& event) {
                 return code_of(block_on(store->webhooks().change(
                     {.webhook = webhook, .seen = webhook.revision, .audit = event})));
             }},
            {"hook",
             [this](const AuditEvent& event) {
                 return code_of(
                     block_on(automations().create(new_hooked(), 10, std::nullopt, {}, event)));
             }},
            {"secret of a hook",
             [this](const AuditEvent& event) {
                 return code_of(block_on(automations().change(
                     {.automation = hooked, .seen = hooked.revision, .audit = event})));
             }},
            {"login",
             [this](const AuditEvent& event) {
                 const NewLogin login = new_login(ana);
                 return code_of(block_on(
                     tokens().begin_login(login.login, login.access, login.refresh, {}, event)));
             }},
        };
    }

    const Webhook webhook =
        block_on(store->webhooks().create(new_webhook(), 10, std::nullopt, {})).value().webhook;
    const Automation hooked = created(new_hooked());
};

TEST_F(CallersContract, ARevokedTokenChangesNothing)
{
    const Token maker = added_token('p', ana.id);
    const AuditEvent event = event_by(maker);
    ASSERT_TRUE(block_on(tokens().revoke(ana.id, maker.id)));
    for (const Attempt& attempt : attempts())
        EXPECT_EQ(attempt.make(event), Errc::invalid_token) << attempt.what;
    EXPECT_TRUE(listed(ana.id).items.empty());
    EXPECT_TRUE(audited().empty());
}

TEST_F(CallersContract, AGoodTokenChangesAll)
{
    const Token maker = added_token('p', ana.id);
    for (const Attempt& attempt : attempts())
        EXPECT_EQ(attempt.make(event_by(maker)), std::nullopt) << attempt.what;
    EXPECT_EQ(audited().size(), attempts().size());
}

TEST_F(CallersContract, ATokenEndsWithThePasswordItsLoginOrItsUser)
{
    const Token reset = added_token('p', ana.id);
    const NewLogin login = begun_login(ana);
    EXPECT_TRUE(make_token(event_by(login.access)));
    ASSERT_TRUE(block_on(tokens().end_login(login.login.id)));
    EXPECT_EQ(code_of(make_token(event_by(login.access))), Errc::invalid_token);

    ASSERT_TRUE(
        block_on(accounts().change_user(ana.id, {.password_hash = "other", .ends_tokens = true})));
    EXPECT_EQ(code_of(make_token(event_by(reset))), Errc::invalid_token);
    EXPECT_TRUE(listed(ana.id).items.empty());

    const Token disabled = added_token('p', ana.id);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = true})));
    EXPECT_EQ(code_of(make_token(event_by(disabled))), Errc::invalid_token);
    ASSERT_TRUE(block_on(accounts().change_user(ana.id, {.disabled = false})));
    EXPECT_TRUE(make_token(event_by(disabled)));
}

TEST_F(CallersContract, AnOperatorWhoIsNoneAnyMoreDoesNotActAsOne)
{
    const User root = added_user("root", Role::operator_);
    added_user("other", Role::operator_);
    const Token token = added_token('p', root.id);
    ASSERT_TRUE(block_on(accounts().change_user(root.id, {.role = Role::member})));
    EXPECT_EQ(code_of(block_on(accounts().change_user(root.id, {.role = Role::operator_},
                                                      {event_by(token, true)}))),
              Errc::insufficient_scope);
    EXPECT_TRUE(
        block_on(accounts().change_user(root.id, {.display_name = "R"}, {event_by(token, false)})));
}

TEST_F(CallersContract, AClientTokenLogsInUntilItIsRevoked)
{
    const Token client = added_token('c');
    const auto log_in = [&] {
        const NewLogin login = new_login(ana);
        return code_of(block_on(
            tokens().begin_login(login.login, login.access, login.refresh, {}, event_by(client))));
    };
    EXPECT_EQ(log_in(), std::nullopt);
    ASSERT_TRUE(block_on(tokens().revoke({}, client.id)));
    EXPECT_EQ(log_in(), Errc::invalid_token);
}

// Also in a store with several writers: the reset waits for tokens that are being stored, and ends
// them.
TEST_F(CallersContract, NoTokenSurvivesAResetThatMeetsItsCreation)
{
    for (int round = 0; round < 5; ++round) {
        const Token maker = added_token('p', ana.id);
        std::vector<Task<Result<>>> tasks;
        const auto make = [](Tokens& in, Token token, AuditEvent event) -> Task<Result<>> {
            const auto made = co_await in.add_token(std::move(token), std::move(event));
            if (!made && made.error().code != Errc::invalid_token) co_return made.error();
            co_return Result<>();
        };
        const auto reset = [](Accounts& in, std::string user) -> Task<Result<>> {
            const auto changed = co_await in.change_user(
                std::move(user), {.password_hash = "other", .ends_tokens = true});
            if (!changed) co_return changed.error();
            co_return Result<>();
        };
        constexpr int makers = 20;
        for (int i = 0; i < makers; ++i) {
            if (i == makers / 2) tasks.push_back(reset(accounts(), ana.id));
            tasks.push_back(make(tokens(), new_token('p', ana.id), event_by(maker)));
        }
        for (const auto& done : block_on_all(std::move(tasks)))
            EXPECT_TRUE(done) << done.error().message;
        EXPECT_TRUE(listed(ana.id).items.empty());
    }
}

}  // namespace
}  // namespace parley::store
