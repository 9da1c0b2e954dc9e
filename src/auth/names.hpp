// Rules for names of users. Two user names that look the same must not be two users: a user name is
// stored in one Unicode form, compared without case, and has no invisible characters. A display
// name only has to fit on a line of text. (Similar letters of two alphabets still differ.)
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
    std::string text;  // As entered, in NFC.
    std::string key;   // Used for comparison.

    bool operator==(const UserName&) const = default;
};

// E-mail addresses and names with spaces inside are allowed.
Judged<UserName> read_name(std::string_view text);

// May be empty.
Judged<std::string> read_display_name(std::string_view text);

}  // namespace parley::auth
