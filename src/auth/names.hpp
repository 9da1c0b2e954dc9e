// What users may be called. A user name is what somebody types at login and what others know them
// by, so two names that look the same must not be two users: it is kept in one Unicode form,
// compared without case, and has no characters that nobody can see. A display name only has to be
// fit for a line of text. (Letters of two alphabets that look alike still differ.)
//
// Threads: from any thread.
#pragma once

#include "auth/refusal.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::auth {

inline constexpr std::size_t longest_name = 128;  // In characters (code points), in NFC.

struct UserName {
    std::string text;  // As it was given, in NFC.
    std::string key;   // By which it is compared.

    bool operator==(const UserName&) const = default;
};

// An e-mail address will do, and so will names with spaces inside.
Judged<UserName> read_name(std::string_view text);

// May be empty.
Judged<std::string> read_display_name(std::string_view text);

}  // namespace parley::auth
