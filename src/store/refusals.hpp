// The words with which every store refuses a change to users, tokens and logins.
#pragma once

#include "base/error.hpp"

namespace parley::store {

inline Error name_is_taken() { return {Errc::conflict, "This name is taken."}; }
inline Error operator_is_there() { return {Errc::conflict, "There is an operator already."}; }
inline Error last_operator()
{
    return {Errc::conflict,
            "This is the last operator: make somebody else an operator first, or nobody could "
            "look after the server."};
}
inline Error token_is_there() { return {Errc::conflict, "There is a token with this id."}; }
// To a refresh conflict means something else, and what makes tokens does not make one twice.
inline Error new_token_is_there()
{
    return {Errc::internal, "a token that was just made is there already"};
}
inline Error password_was_changed()
{
    return {Errc::conflict, "The password was changed in the meantime."};
}
inline Error refresh_token_was_used()
{
    return {Errc::conflict, "This refresh token was used before: its login has been ended."};
}

}  // namespace parley::store
