// The contract tests that every store must pass are beside this file, a *_contract.cpp for each
// concept. They are compiled once and linked into the tests of each room that names `store` as its
// CONTRACT; a test file of that room says which store is tested:
//
//   std::unique_ptr<StoreOnTrial> store::store_on_trial() { return std::make_unique<Mine>(); }
//
// This is their fixture: a store, and users to fill it with.
#pragma once

#include "base/block_on.hpp"
#include "base/id.hpp"
#include "store/store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::store {

using namespace std::chrono_literals;
using namespace std::string_literals;

class StoreOnTrial {
public:
    virtual ~StoreOnTrial() = default;

    // Opens the same data each time, if the store is persistent.
    virtual std::unique_ptr<Store> open() = 0;
    // Whether data outlives the object that `open` returned.
    virtual bool keeps() const = 0;
};

// Defined by each adapter's tests. A new place for data at each call.
std::unique_ptr<StoreOnTrial> store_on_trial();

class ContractTest : public testing::Test {
protected:
    explicit ContractTest(std::unique_ptr<StoreOnTrial> tried = store_on_trial())
        : trial(std::move(tried)), store(trial->open())
    {
    }

    void reopen()
    {
        store.reset();
        store = trial->open();
    }
    bool keeps() const { return trial->keeps(); }

    static constexpr auto access_life = 1h;
    static constexpr auto refresh_life = 30 * 24h;
    static constexpr auto login_life = 90 * 24h;
    static constexpr auto grace = 60s;

    const std::unique_ptr<StoreOnTrial> trial;  // Outlives the store.
    std::unique_ptr<Store> store;
    ManualClock clock;

    Accounts& accounts() { return store->accounts(); }
    Tokens& tokens() { return store->tokens(); }

    User new_user(const std::string& name, Role role = Role::member)
    {
        clock.advance(1ms);
        return {.id = new_id("usr", clock.now()),
                .username = name,
                .name_key = name,
                .display_name = "Somebody",
                .role = role,
                .created_at = clock.now(),
                .password_hash = "$argon2id$of " + name};
    }
    User added_user(const std::string& name, Role role = Role::member)
    {
        User user = new_user(name, role);
        EXPECT_TRUE(block_on(accounts().add_user(user)));
        return user;
    }

    Token new_token(char kind, const std::string& user = {})
    {
        clock.advance(1ms);
        TokenHash hash{};  // Zeros at both ends: a hash is no text.
        hash[15] = static_cast<unsigned char>(++hashes_ & 0xff);
        hash[16] = static_cast<unsigned char>(hashes_ >> 8);
        return {.id = new_id("tok", clock.now()),
                .hash = hash,
                .kind = kind,
                .user = user,
                .scopes = 6,
                .hint = "pl" + std::string(1, kind) + "_…" + std::to_string(hashes_),
                .created_by = user,
                .created_at = clock.now()};
    }
    Token added_token(char kind, const std::string& user = {},
                      std::optional<TimePoint> expires_at = {})
    {
        Token token = new_token(kind, user);
        token.expires_at = expires_at;
        EXPECT_TRUE(block_on(tokens().add_token(token)));
        return token;
    }
    bool is_there(const Token& token)
    {
        return block_on(tokens().find_token(token.hash)).has_value();
    }

    struct NewLogin {
        Login login;
        Token access;
        Token refresh;
    };
    NewLogin new_login(const User& user, const std::string& label = "laptop")
    {
        auto [access, refresh] = new_pair();
        const Login login{.id = new_id("tok", clock.now()),
                          .user = user.id,
                          .label = label,
                          .created_at = clock.now(),
                          .expires_at = clock.now() + login_life,
                          .hint = access.hint,
                          .scopes = access.scopes};
        return {login, access, refresh};
    }
    NewLogin begun_login(const User& user, const std::string& label = "laptop")
    {
        NewLogin begun = new_login(user, label);
        EXPECT_TRUE(block_on(tokens().begin_login(begun.login, begun.access, begun.refresh)));
        return begun;
    }

    // A refresh with this token.
    Refresh showing(const Token& shown)
    {
        auto [access, refresh] = new_pair();
        return {.used = shown.hash,
                .access = access,
                .refresh = refresh,
                .now = clock.now(),
                .grace = grace};
    }
    Result<Refreshed> refresh(const Token& shown)
    {
        return block_on(tokens().refresh_login(showing(shown)));
    }

    AuditEvent new_event(const std::string& target = "usr_2")
    {
        clock.advance(1ms);
        return {new_id("evt", clock.now()),
                clock.now(),
                "usr_1",
                "user.changed",
                target,
                "192.0.2.7",
                "req_1"};
    }
    std::vector<AuditEvent> audited()
    {
        return block_on(store->audit().list(std::nullopt, 1000)).value().items;
    }

    Page<Token, Tokens::Position> listed(const std::string& user,
                                         std::optional<Tokens::Position> before = {},
                                         std::size_t limit = 100)
    {
        return block_on(tokens().list_tokens(user, clock.now(), before, limit)).value();
    }

private:
    std::pair<Token, Token> new_pair()
    {
        std::pair pair(new_token('s'), new_token('r'));
        pair.first.expires_at = clock.now() + access_life;
        pair.second.expires_at = clock.now() + refresh_life;
        return pair;
    }

    unsigned hashes_ = 0;
};

}  // namespace parley::store
