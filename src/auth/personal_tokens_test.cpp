#include "auth/personal_tokens.hpp"

#include "auth/people_for_tests.hpp"
#include "auth/roles.hpp"

namespace parley::auth {
namespace {

using namespace std::chrono_literals;

// The parameters of a new token: every combination is tested.
enum class End { absent, none, sooner, same, later };
struct Asked {
    std::optional<bool> test;
    Scopes scopes;
    End end = End::absent;
};

constexpr std::array all_ends = {End::absent, End::none, End::sooner, End::same, End::later};
constexpr std::array<std::optional<bool>, 3> all_modes = {std::nullopt, true, false};
constexpr std::array all_scope_sets = {
    Scopes{Scope::account},
    Scopes{Scope::account, Scope::chat_read},
    Scopes{Scope::account, Scope::chat_read, Scope::chat_write},
    Scopes{Scope::account, Scope::admin},
    Scopes{Scope::account, Scope::chat_read, Scope::chat_write, Scope::admin},
};

class PersonalTokensTest : public PeopleTest {
protected:
    CallerRef caller_of(const MadeToken& made) { return identify(made.text).value(); }

    NewToken wanted(const Asked& asked)
    {
        NewToken token{.name = "t", .scopes = asked.scopes, .test = asked.test};
        token.never_expires = asked.end == End::none;
        if (asked.end == End::sooner) token.expires_at = end - 1min;
        if (asked.end == End::same) token.expires_at = end;
        if (asked.end == End::later) token.expires_at = end + 1ms;
        return token;
    }
    Result<MadeToken> make(const CallerRef& parent, const Asked& asked)
    {
        return block_on(tokens.make(parent, root.id, wanted(asked), origin));
    }

    // All kinds of tokens: an operator's login and the tokens created with it.
    std::vector<CallerRef> parents()
    {
        const CallerRef login = identify(log_in("root").access).value();
        std::vector<CallerRef> all{login};
        for (const Scopes scopes : all_scope_sets)
            for (const bool test : {false, true})
                for (const bool expires : {false, true})
                    if (auto made = make(login, {test, scopes, expires ? End::same : End::none}))
                        all.push_back(caller_of(*made));
        return all;
    }
    // The rules, expressed in another way than in the code.
    static bool is_allowed(const Caller& parent, const Asked& asked)
    {
        const bool by_test = parent.kind == TokenKind::test;
        const bool test = asked.test.value_or(by_test);
        if (!parent.scopes.has_all_of(asked.scopes)) return false;
        if (test && asked.scopes.has(Scope::admin)) return false;
        if (by_test && !test) return false;
        const bool is_bound = parent.kind != TokenKind::access && parent.expires_at;
        return !is_bound || (asked.end != End::none && asked.end != End::later);
    }
    static void expect_no_growth(const Caller& parent, const Caller& child)
    {
        EXPECT_TRUE(parent.scopes.has_all_of(child.scopes)) << child.scopes.text();
        if (parent.kind == TokenKind::test) EXPECT_EQ(child.kind, TokenKind::test);
        if (child.kind == TokenKind::test) EXPECT_FALSE(child.scopes.has(Scope::admin));
        if (parent.kind == TokenKind::access || !parent.expires_at) return;
        ASSERT_TRUE(child.expires_at);
        EXPECT_LE(*child.expires_at, *parent.expires_at);
    }

    const store::User root = add("root", Role::operator_);
    const TimePoint end = clock.now() + 1h;
};

TEST_F(PersonalTokensTest, NeverGrowFromOneToTheNext)
{
    std::size_t made_count = 0;
    std::size_t refused_count = 0;
    for (const CallerRef& parent : parents())
        for (const auto& mode : all_modes)
            for (const Scopes scopes : all_scope_sets)
                for (const End asked_end : all_ends) {
                    const Asked asked{mode, scopes, asked_end};
                    const auto made = make(parent, asked);
                    SCOPED_TRACE(static_cast<char>(parent->kind) + (" " + parent->scopes.text()) +
                                 (parent->expires_at ? " expires" : "") + " asks for " +
                                 (mode ? (*mode ? "test " : "live ") : "") + scopes.text() +
                                 ", end " + std::to_string(static_cast<int>(asked_end)));
                    ASSERT_EQ(made.has_value(), is_allowed(*parent, asked));
                    if (!made) {
                        ++refused_count;
                        continue;
                    }
                    ++made_count;
                    const CallerRef child = caller_of(*made);
                    expect_no_growth(*parent, *child);
                    // A token of the next generation cannot expire later, either.
                    for (const End end_of_next : {End::none, End::later})
                        if (const auto next =
                                make(child, {false, all_scope_sets.back(), end_of_next}))
                            expect_no_growth(*parent, *caller_of(*next));
                }
    EXPECT_GT(made_count, 200U);
    EXPECT_GT(refused_count, 400U);
}

TEST_F(PersonalTokensTest, EndWithTheTokenThatMadeThemIfNothingIsSaid)
{
    const CallerRef login = identify(log_in("root").access).value();
    const Scopes account{Scope::account};
    const auto parent = caller_of(make(login, {{}, account, End::same}).value());
    EXPECT_EQ(make(parent, {{}, account, End::absent}).value().token.expires_at, end);
    EXPECT_EQ(make(login, {{}, account, End::absent}).value().token.expires_at, std::nullopt)
        << "the token of a login expires too, but is not bound by this";
    const auto refused = make(parent, {{}, account, End::none});
    ASSERT_EQ(refused.error().code, Errc::validation_failed);
    EXPECT_EQ(refused.error().faults.at(0).where, "#/expires_at");
}

TEST_F(PersonalTokensTest, OfAnOperatorForSomebodyElseAreBoundAlike)
{
    const auto ana = add("ana");
    const CallerRef login = identify(log_in("root").access).value();
    const auto parent = caller_of(make(login, {{}, all_scope_sets.back(), End::same}).value());
    const auto for_ana = [&](const Asked& asked) {
        return block_on(tokens.make(parent, ana.id, wanted(asked), origin));
    };
    const Scopes reading{Scope::chat_read};
    EXPECT_EQ(for_ana({{}, reading, End::absent}).value().token.expires_at, end);
    EXPECT_FALSE(for_ana({{}, reading, End::none}));
    EXPECT_FALSE(for_ana({{}, reading, End::later}));
    // The caller has the scope, so the error does not ask for another one.
    const auto refused = for_ana({{}, Scopes{Scope::admin}, End::absent});
    EXPECT_EQ(refused.error().code, Errc::validation_failed);
}

TEST_F(PersonalTokensTest, OfTestModeLoseAdminThatTheyHadBefore)
{
    store::Token old{.id = "tok_old", .kind = 't', .user = root.id};
    const Secret text = new_token(TokenKind::test);
    old.hash = hash_token(text.reveal());
    old.scopes = Scopes{Scope::admin, Scope::chat_read}.bits();
    ASSERT_TRUE(block_on(store->tokens().add_token(old)));
    EXPECT_EQ(identify(text).value()->scopes.text(), "chat:read");
}

TEST_F(PersonalTokensTest, TellAllThatIsWrongAtOnce)
{
    const CallerRef login = identify(log_in("root").access).value();
    const auto parent = caller_of(make(login, {true, all_scope_sets[0], End::same}).value());
    NewToken token = wanted({false, all_scope_sets[0], End::later});
    token.limits = {.chat = 31U, .general = 101U, .automation = 21U};
    token.is_temporary = true;
    const auto refused = block_on(tokens.make(parent, root.id, token, origin));
    std::vector<std::string> where;
    for (const Fault& fault : refused.error().faults) where.push_back(fault.where);
    EXPECT_EQ(where,
              (std::vector<std::string>{"#/test", "#/temporary", "#/expires_at", "#/limits/chat",
                                        "#/limits/general", "#/limits/automation"}));
    EXPECT_EQ(block_on(tokens.faults_of(parent, root.id, token)).value().size(), where.size());
    EXPECT_EQ(block_on(tokens.faults_of(parent, "usr_none", token)).error().code, Errc::not_found);
}

TEST_F(PersonalTokensTest, TellWhatIsWrongWithAChangeWithoutMakingIt)
{
    const CallerRef login = identify(log_in("root").access).value();
    const auto made = make(login, {{}, {Scope::chat_read}, End::none}).value();
    const auto faults = [&](const std::string& id, LimitsChange limits) {
        return block_on(tokens.faults_of_change(login, id, limits));
    };
    EXPECT_EQ(faults(made.token.id, {.chat = 31}).value().at(0).where, "#/limits/chat");
    EXPECT_EQ(faults(login->login, {.chat = 3}).value().at(0).where, "#/limits");
    EXPECT_TRUE(faults(made.token.id, {.chat = 3}).value().empty());
    EXPECT_TRUE(faults(login->login, {}).value().empty());
    EXPECT_EQ(faults("tok_none", {}).error().code, Errc::not_found);
    EXPECT_EQ(caller_of(made)->token_limits, OwnLimits()) << "nothing was changed";
}

TEST_F(PersonalTokensTest, HaveLimitsWithinTheirUsers)
{
    const CallerRef login = identify(log_in("root").access).value();
    const auto made = make(login, {{}, {Scope::chat_read}, End::none}).value();
    const auto set = [&](LimitsChange limits) {
        return block_on(tokens.change(login, made.token.id, {.limits = limits}, origin));
    };
    EXPECT_FALSE(set({.chat = 31})) << "the server's number is 30";
    EXPECT_TRUE(set({.chat = 30, .general = 100}));
    EXPECT_EQ(caller_of(made)->token_limits, (OwnLimits{30, 100})) << "at once";
    ASSERT_TRUE(block_on(accounts.change(root.id, {.limits = {.chat = 300}}, "root", origin)));
    EXPECT_EQ(caller_of(made)->user_limits, (OwnLimits{300, {}})) << "at once";
    EXPECT_TRUE(set({.chat = 300}));
    EXPECT_FALSE(set({.chat = 301}));
    ASSERT_TRUE(block_on(accounts.change(root.id, {.limits = {.chat = 10}}, "root", origin)));
    EXPECT_EQ(caller_of(made)->token_limits.chat, 300U) << "the smaller number counts";
    EXPECT_TRUE(set({.general = LimitsChange::Number()})) << "what is not changed is not judged";
    EXPECT_EQ(caller_of(made)->token_limits, (OwnLimits{300, {}}));
}

// The user has 30 and 100, the token 10 chats: the limits that it can set for itself, for another
// token, and for a child.
TEST_F(PersonalTokensTest, GiveNoLimitsAboveTheirOwn)
{
    using Number = LimitsChange::Number;
    struct Row {
        LimitsChange asked;
        bool by_limited;  // Whether a token with 10 chats may set it.
        bool by_login;
        OwnLimits child;  // The resulting limits of a child of the limited token.
    };
    const Row rows[] = {
        {{}, true, true, {10, {}}},
        {{.chat = 9}, true, true, {9, {}}},
        {{.chat = 10, .general = 100}, true, true, {10, 100}},
        {{.chat = 11}, false, true, {}},
        {{.chat = 30}, false, true, {}},
        {{.chat = Number()}, false, true, {}},
        {{.chat = 31}, false, false, {}},
        {{.general = 100}, true, true, {10, 100}},
        {{.general = Number()}, true, true, {10, {}}},
        {{.general = 101}, false, false, {}},
        {{.automation = 20}, true, true, {10, {}, 20}},
        {{.automation = Number()}, true, true, {10, {}}},
        {{.automation = 21}, false, false, {}},
    };
    const CallerRef login = identify(log_in("root").access).value();
    const Scopes every = all_scope_sets.back();
    NewToken limited = wanted({{}, every, End::none});
    limited.limits = {.chat = 10};
    for (const Row& row : rows) {
        const auto parent = block_on(tokens.make(login, root.id, limited, origin)).value();
        const CallerRef caller = caller_of(parent);
        const auto other = make(login, {{}, every, End::none}).value();
        for (const auto& [changer, may] :
             {std::pair(caller, row.by_limited), {login, row.by_login}}) {
            SCOPED_TRACE("row " + std::to_string(&row - rows) + (may ? ", allowed" : ", refused"));
            NewToken child = wanted({{}, every, End::none});
            child.limits = row.asked;
            const auto made = block_on(tokens.make(changer, root.id, child, origin));
            ASSERT_EQ(made.has_value(), may);
            if (may && changer == caller) EXPECT_EQ(made->token.limits, row.child);
            if (!may) EXPECT_TRUE(made.error().faults.at(0).where.starts_with("#/limits/"));
            for (const MadeToken* target : {&parent, &other}) {
                const auto changed = block_on(
                    tokens.change(changer, target->token.id, {.limits = row.asked}, origin));
                EXPECT_EQ(changed.has_value(), may) << target->token.id;
            }
        }
    }
}

TEST_F(PersonalTokensTest, AreRenamedAndAreToldOfOnce)
{
    const CallerRef login = identify(log_in("root").access).value();
    const auto made = make(login, {{}, {Scope::chat_read}, End::none}).value();
    const auto change = [&](const std::string& id, ChangedToken to) {
        return block_on(tokens.change(login, id, std::move(to), origin));
    };
    EXPECT_EQ(change(made.token.id, {.name = "new"}).value().name, "new");
    EXPECT_EQ(last_action(), "token.renamed");
    EXPECT_TRUE(change(made.token.id, {.limits = {.chat = 3}}));
    EXPECT_EQ(last_action(), "token.limits_changed");
    const auto count = [&] { return block_on(store->audit().list({}, 100)).value().items.size(); };
    const auto before = count();
    EXPECT_TRUE(change(made.token.id, {.name = "new"}));
    EXPECT_TRUE(change(made.token.id, {}));
    EXPECT_EQ(count(), before) << "nothing was done";
    EXPECT_EQ(change(login->login, {.name = "laptop"}).value().name, "laptop");
    EXPECT_EQ(change(login->login, {.limits = {.chat = 3}}).error().faults.at(0).where, "#/limits");
    EXPECT_EQ(change("tok_none", {.name = "x"}).error().code, Errc::not_found);
}

TEST_F(PersonalTokensTest, StayRefusedWhenTheClockIsSetBack)
{
    const CallerRef login = identify(log_in("root").access).value();
    const auto made = make(login, {{}, {Scope::chat_read}, End::same}).value();
    clock.advance(1h);
    EXPECT_FALSE(identify(made.text));
    clock.set(clock.now() - 1h);
    EXPECT_FALSE(identify(made.text));
    EXPECT_FALSE(make(login, {{}, {Scope::chat_read}, End::same})) << "that time has passed";
}

TEST_F(PersonalTokensTest, AndLoginsOutliveAClockThatJumpsAhead)
{
    const auto login = log_in("root");
    const CallerRef caller = identify(login.access).value();
    NewToken wanted{.name = "t", .expires_at = clock.now() + 24h};
    const auto made = block_on(tokens.make(caller, root.id, wanted, origin)).value();
    for (int hour = 0; hour < 2; ++hour) {
        clock.advance(30min);
        time.look();
    }
    clock.set(clock.now() + 30 * 24h);
    EXPECT_TRUE(identify(made.text));
    const auto client = std::make_shared<Caller>(Caller{.scopes = {Scope::auth_login}});
    log_in("root");  // A login also sweeps.
    EXPECT_TRUE(block_on(logins.refresh(client, Secret(login.refresh.reveal()), origin)));
}

TEST_F(PersonalTokensTest, AreSweptOnlyWhileTheTimeIsBeyondDoubt)
{
    const CallerRef login = identify(log_in("root").access).value();
    NewToken wanted{.name = "t", .expires_at = clock.now() + 1min};
    const auto made = block_on(tokens.make(login, root.id, wanted, origin)).value();
    const auto is_kept = [&] {
        return block_on(store->tokens().find_token(made.token.hash)).has_value();
    };
    clock.advance(59min);
    log_in("root");
    EXPECT_TRUE(is_kept()) << "an hour after the start";
    clock.set(clock.now() - 6min);
    clock.advance(1min);
    log_in("root");
    EXPECT_TRUE(is_kept()) << "while the clocks disagree";
    clock.set(clock.now() + 6min);
    log_in("root");
    EXPECT_TRUE(is_kept()) << "while a request may still wait for its answer";
    clock.advance(25h);
    log_in("root");
    EXPECT_FALSE(is_kept());
}

}  // namespace
}  // namespace parley::auth
