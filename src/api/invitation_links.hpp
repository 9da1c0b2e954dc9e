// Links to the pages of the web app on which users set a password.
#pragma once

#include "base/secret.hpp"

#include <string>

namespace parley::api {

struct InvitationLinks {
    std::string public_url;  // Empty if the server does not know it: a link is then a path.

    std::string link(const Secret& code) const { return link_to("invite", code); }
    std::string reset_link(const Secret& code) const { return link_to("reset", code); }

private:
    std::string link_to(std::string_view page, const Secret& code) const
    {
        std::string url = public_url;
        while (url.ends_with('/')) url.pop_back();
        // After the #: browsers do not send this part, so it is not logged.
        return url.append("/#").append(page).append("=").append(code.reveal());
    }
};

}  // namespace parley::api
