// The web app at /: its page, its files, and what it has to know before a user has logged in.
#pragma once

#include "api/route.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace parley::api {

struct WebApp {
    std::string client_token;  // Public: it may only log in.
    std::string contact;       // Whom to ask for an account; may be empty.
    std::string version;
    std::string note = {};  // What to know about the default model; may be empty.

    // There is an operator, and will be: the last one cannot be removed. Asked of the store no
    // more, since everybody may ask, any number of times.
    mutable std::atomic<bool> is_set_up = false;
};

}  // namespace parley::api
