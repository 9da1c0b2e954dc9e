// The OpenID provider of a server. Metadata and keys are fetched when they are needed, and cached
// for an hour; a token that none of the keys has signed makes them be fetched again, once a minute
// at most.
//
// Threads: from any event loop of the clients.
#pragma once

#include "base/mutex.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"
#include "base/trusted_time.hpp"
#include "http/client/clients.hpp"
#include "oidc/attempts.hpp"
#include "oidc/id_token.hpp"
#include "oidc/metadata.hpp"
#include "oidc/options.hpp"
#include "oidc/person.hpp"

#include <memory>
#include <string>

namespace parley::oidc {

// The provider's page for the browser, and the attempt that it keeps meanwhile.
struct Begun {
    std::string url;
    std::string attempt;  // Sealed.
    TimePoint expires_at;
};

// What the browser brought back with the state.
struct Returned {
    std::string code;
    std::string issuer = {};  // `iss`; may be empty.
};

class Provider {
public:
    // `client_secret` may be empty: a public client. `key` seals attempts. Clients and time must
    // outlive it.
    Provider(Options options, Secret client_secret, const Secret& key,
             http::client::Clients& clients, const TrustedTime& time);

    const Options& options() const { return options_; }

    // Fails with not_found without an issuer, or provider_error.
    Task<Result<Begun>> begin();

    // Fails with not_found without an issuer, or invalid_credentials; `issuer` is what the browser
    // brought back as `iss`, or empty.
    Result<Attempt> open(std::string_view attempt, std::string_view state,
                         std::string_view issuer) const;

    // Exchanges the code. Fails with invalid_credentials if the issuer is missing that the provider
    // promises to name, if the provider refuses the code, if the ID token is not valid, or if the
    // person may not log in; with provider_error if the provider does not answer as it should.
    Task<Result<Person>> identify(Attempt attempt, Returned returned);

private:
    template <class T>
    struct Cached {
        std::shared_ptr<const T> value;
        SteadyPoint fetched_at;
    };
    using MetadataRef = std::shared_ptr<const Metadata>;
    using KeysRef = std::shared_ptr<const Keys>;

    Task<Result<MetadataRef>> metadata();
    Task<Result<KeysRef>> keys_for(const IdToken& token, http::client::Url url);
    Task<Result<boost::json::object>> fetch_user_info(http::client::Url url, Secret access_token,
                                                      std::string subject);
    Task<Result<http::client::ClientResponse>> send(http::client::ClientRequest request);

    const Options options_;
    const Secret client_secret_;
    const Attempts attempts_;
    http::client::Clients& clients_;
    const TrustedTime& time_;
    Mutex mutex_;
    Cached<Metadata> metadata_ GUARDED_BY(mutex_);
    Cached<Keys> keys_ GUARDED_BY(mutex_);
};

}  // namespace parley::oidc
