// The set-up code of a server that has no operator yet: part of a link that is shown only to the
// person who started the server. It is valid until there is an operator, and changes at each start.
#pragma once

#include "base/random.hpp"
#include "base/secret.hpp"

namespace parley::auth {

class SetupCode {
public:
    const Secret& text() const { return text_; }
    bool is(std::string_view text) const { return text_.equals(text); }

private:
    static Secret make()
    {
        std::string text = random_base62(24);
        return Secret::taken_from(text);
    }

    Secret text_ = make();
};

}  // namespace parley::auth
