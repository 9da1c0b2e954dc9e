// Links to the page of the web app that accepts invitations.
#pragma once

#include "base/secret.hpp"

#include <string>

namespace parley::api {

struct InvitationLinks {
    std::string public_url;  // Empty if the server does not know it: a link is then a path.

    std::string link(const Secret& code) const
    {
        std::string url = public_url;
        while (url.ends_with('/')) url.pop_back();
        // After the #: browsers do not send this part, so it is not logged.
        return url + "/#invite=" + std::string(code.reveal());
    }
};

}  // namespace parley::api
