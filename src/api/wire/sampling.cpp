#include "api/wire/sampling.hpp"

namespace parley::api {

void TokenNumber::check(std::string_view key, const fields::FieldPath& at) const
{
    constexpr std::size_t most_digits = 10;
    const bool is_number = !key.empty() && key.size() <= most_digits &&
                           key.find_first_not_of("0123456789") == key.npos;
    if (!is_number) at.fault("not_allowed", "must be the number of a token");
}

}  // namespace parley::api
