// What a server keeps, and the rules that guard it: made before the first request, and closed after
// the last.
#pragma once

#include "api/backups.hpp"
#include "api/cursor.hpp"
#include "api/front_page.hpp"
#include "api/metrics.hpp"
#include "api/services.hpp"
#include "app/conversations.hpp"
#include "app/data_directory.hpp"
#include "app/settings.hpp"
#include "auth/accounts.hpp"
#include "auth/logins.hpp"
#include "auth/personal_tokens.hpp"
#include "auth/setup_code.hpp"
#include "http/client/clients.hpp"
#include "journal/journal.hpp"
#include "limits/limiter.hpp"
#include "store/store.hpp"

#include <memory>
#include <optional>

namespace parley::app {

// The rules about users, over one store.
struct People {
    People(store::Store& store, const auth::LoginTimes& times);

    auth::TokenGate gate;
    auth::PasswordHasher hasher;
    auth::Accounts accounts;
    auth::Logins logins;
    auth::PersonalTokens tokens;
    auth::SetupCode setup_code;
};

class Parts {
public:
    // Locks the data directory and opens what lies in it. Fails with a sentence for the operator.
    // The metrics and the clients, by which models on other servers are asked, must outlive what is
    // returned; without clients there are none of those models.
    static Result<std::unique_ptr<Parts>> open(const Settings& settings, api::Metrics& metrics,
                                               http::Clients* clients = nullptr);

    ~Parts();
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    void add_to(api::Services& services);
    auth::Gate& gate() { return people_->gate; }
    limits::Limiter& limiter() { return *limiter_; }
    store::Store& store() { return *store_; }
    Conversations& conversations() { return *conversations_; }
    const Secret& command_line_token() const { return people_->gate.command_line_token(); }

    // Tells commands on this machine where the server listens, and gives them a token for it.
    // `certificate` is the fingerprint of the server's own, empty without TLS.
    Result<> announce(const std::string& url, const std::string& certificate);

    // See first_start.hpp. `url` is where browsers find the server.
    Result<std::optional<std::string>> make_setup_link(const std::string& url);

private:
    Parts(DataDirectory directory, api::Metrics& metrics);

    Result<> open_stores(const Settings& settings);
    Result<> open_rules(const Settings& settings, http::Clients* clients);
    api::StorageFigures figures() const;

    DataDirectory directory_;
    api::Metrics& metrics_;
    api::BackupFolder backups_;
    std::unique_ptr<limits::Limiter> limiter_;
    std::unique_ptr<store::Store> store_;
    std::unique_ptr<journal::Journal> journal_;
    std::unique_ptr<api::Cursors> cursors_;
    std::unique_ptr<People> people_;  // Ends before the store, which it asks.
    std::unique_ptr<Conversations> conversations_;
    api::FrontPage front_;
};

}  // namespace parley::app
