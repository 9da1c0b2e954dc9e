// The web app at /: its page, its files, and its settings before a login.
#pragma once

#include "api/route.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace parley::api {

struct WebApp {
    std::string client_token;  // Public: it may only log in.
    std::string contact;       // Support contact; may be empty.
    std::string version;
    std::string note = {};                 // A note about the default model; may be empty.
    std::string demonstration_model = {};  // Its name; empty: there is none.
    std::string login_provider = {};       // Name of the OpenID provider; empty: there is none.

    // Once there is an operator, there always is one: the last one cannot be removed. Cached,
    // because this endpoint is public and may be called any number of times.
    mutable std::atomic<bool> is_set_up = false;
};

}  // namespace parley::api
