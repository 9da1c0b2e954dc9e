// The rules of names and passwords as faults of a request. They cost little, so they are checked
// together with the fields of the request, and all faults are reported at once. Only the strength
// of a password, which costs as much as a hash, is judged later (auth/passwords.hpp).
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace parley::auth {

void check_username(std::string_view text, Faults& faults);      // At #/username.
void check_display_name(std::string_view text, Faults& faults);  // At #/display_name.

// `where` is a pointer into the body, like #/password.
void check_password_length(std::string_view password, std::string where, Faults& faults);

}  // namespace parley::auth
