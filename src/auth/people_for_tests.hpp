// The services for users with a store in memory and very cheap hashes.
#pragma once

#include "auth/accounts.hpp"
#include "auth/identities.hpp"
#include "auth/logins.hpp"
#include "auth/personal_tokens.hpp"
#include "base/block_on.hpp"
#include "store/sqlite/memory_store.hpp"

#include <gtest/gtest.h>

namespace parley::auth {

class PeopleTest : public testing::Test {
protected:
    static constexpr const char* password = "correct horse battery staple";

    store::User add(std::string name, Role role = Role::member)
    {
        return block_on(accounts.add({.username = std::move(name),
                                      .password = Secret(password),
                                      .display_name = "",
                                      .role = role},
                                     "test", origin))
            .value()
            .user;
    }
    LoggedIn log_in(std::string name)
    {
        return block_on(logins.log_in(std::move(name), Secret(password), "", origin)).value();
    }
    Result<CallerRef> identify(const Secret& token)
    {
        return block_on(authenticator.identify(token.reveal()).wait());
    }
    // The last action in the audit log.
    std::string last_action()
    {
        const auto page = block_on(store->audit().list(std::nullopt, 1)).value();
        return page.items.empty() ? "" : page.items.front().action;
    }

    const Origin origin{"192.0.2.7", "req_1"};
    ManualClock clock;
    std::unique_ptr<store::Store> store = store::make_memory_store();
    TrustedTime time{clock, "boot"};
    TokenAuthenticator authenticator{store->tokens(), time};
    PasswordHasher hasher{{.cost = {.passes = 1, .memory = 8192}}};
    SecondFactors factors{*store, hasher, authenticator, time};
    Accounts accounts{*store, hasher, authenticator, factors, time};
    Logins logins{*store, hasher, authenticator, factors, time};
    Identities identities{*store, authenticator, logins, time};
    PersonalTokens tokens{*store, authenticator, time, OwnLimits{30, 100, 20}};
};

}  // namespace parley::auth
