// Logins at an OpenID provider: the authorization code flow with PKCE (S256), state and nonce.
// A server makes one Provider (provider.hpp). begin() gives the URL of the provider to which the
// browser goes; when it comes back with a code, open() checks that the same browser began, and
// identify() exchanges the code for an ID token and says who the person is. This room knows
// nothing of users: auth/identities.hpp does.
//
// Everything that the provider sends is checked as if it came from a stranger: sizes, JSON, keys,
// signatures and claims.
#pragma once

#include "oidc/options.hpp"
#include "oidc/provider.hpp"
