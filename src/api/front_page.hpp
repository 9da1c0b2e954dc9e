// What a browser finds at /: the set-up of the first operator, for whoever has the link to it, and
// a login, with a token to begin with.
#pragma once

#include "api/route.hpp"

#include <string>
#include <vector>

namespace parley::api {

struct FrontPage {
    std::string client_token;  // Public: it may only log in.
    std::string contact;       // Whom to ask for an account; may be empty.
    std::string note = {};     // What to know about the default model; may be empty.
};

// Asks for the service FrontPage.
std::vector<Route> front_routes();

}  // namespace parley::api
