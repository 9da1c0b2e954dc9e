// The owner of a cached text. A cached text serves only its owner: cache hits show in the usage and
// in the response time, so other users could guess an owner's text piece by piece.
#pragma once

#include <string>
#include <string_view>

namespace parley::engine::llama {

struct Whose {
    std::string owner = {};    // See owner_key(). Empty: nothing is reused or cached.
    std::string session = {};  // See session_key(). Empty: it belongs to no session.
};

// Whether this session or owner key is the removed one, or belongs to the removed user.
inline bool belongs_to(std::string_view key, std::string_view gone)
{
    return !gone.empty() && key.starts_with(gone) &&
           (key.size() == gone.size() || key[gone.size()] == '/');
}

inline bool belongs_to(const Whose& whose, std::string_view gone)
{
    return belongs_to(whose.session, gone) || belongs_to(whose.owner, gone);
}

}  // namespace parley::engine::llama
