// How a pipeline answers, and the services that it asks before a call.
#pragma once

#include "limits/client_address.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace parley::auth {
class Authenticator;
class HookAuthenticator;
struct SignedCall;
}  // namespace parley::auth
namespace parley::limits {
class Limiter;
}

namespace parley::api {

class Readiness;

struct PipelineOptions {
    std::string public_url = {};  // The public address of this server: makes links absolute.
    std::vector<std::string> cors_origins = {};
    std::string contact = {};  // Support contact, shown with 401.
    auth::Authenticator* authenticator =
        nullptr;  // Identifies callers; needed by rows that require a token.
    auth::HookAuthenticator* hook_authenticator =
        nullptr;                         // Needed by rows that are called as hooks.
    limits::Limiter* limiter = nullptr;  // Counts requests under /v1; null: they are not counted.
    limits::TrustedProxies trusted_proxies = {};
    const Readiness* readiness = nullptr;  // Refuses new requests during shutdown; null: never.
    std::size_t max_body = std::size_t{16} * 1024 * 1024;  // For rows that take a large body.
};

}  // namespace parley::api
