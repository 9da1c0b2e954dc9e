// What a user is to the server. Operators look after it, and after the users.
#pragma once

#include "fields/fields.hpp"

#include <array>

namespace parley {

enum class Role { member, operator_ };

// As it travels and as it is stored.
constexpr auto names_of(Role)
{
    return std::array{fields::Named{Role::member, "member"},
                      fields::Named{Role::operator_, "operator"}};
}

}  // namespace parley
