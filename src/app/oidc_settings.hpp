// The settings of logins at an OpenID provider.
#pragma once

#include "app/settings.hpp"
#include "base/secret.hpp"
#include "base/trusted_time.hpp"
#include "http/client/clients.hpp"
#include "oidc/provider.hpp"

#include <memory>

namespace parley::app {

Setting oidc_issuer_setting();
Setting oidc_client_id_setting();
Setting oidc_client_secret_file_setting();
Setting oidc_name_setting();
Setting oidc_scopes_setting();
Setting oidc_groups_claim_setting();
Setting oidc_operator_groups_setting();
Setting oidc_allowed_groups_setting();

// Refuses settings that contradict each other.
Result<> check_oidc(const Settings& settings);

// Reads the secret file. `key` is that of the server. Fails with a message for the operator; the
// provider itself is not asked. Clients and time must outlive the result.
Result<std::unique_ptr<oidc::Provider>> open_provider(const Settings& settings, const Secret& key,
                                                      http::client::Clients& clients,
                                                      const TrustedTime& time);

}  // namespace parley::app
