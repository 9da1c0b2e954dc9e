// The role of a user. Operators manage the server and its users.
#pragma once

#include "fields/fields.hpp"

#include <array>

namespace parley {

enum class Role { member, operator_ };

// The names in the API and in the store.
constexpr auto names_of(Role)
{
    return std::array{fields::Named{Role::member, "member"},
                      fields::Named{Role::operator_, "operator"}};
}

}  // namespace parley
