#include "base/id.hpp"

#include "base/base62.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace parley {
namespace {

constexpr std::size_t time_digits = 8;  // Milliseconds, until the year 8888.
constexpr std::size_t random_digits = 18;
constexpr std::size_t max_prefix = max_id_length - 1 - time_digits - random_digits;

}  // namespace

std::string new_id(std::string_view prefix, TimePoint now)
{
    if (prefix.size() > max_prefix) throw std::logic_error("The prefix of an id is too long.");
    const auto since_1970 = std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch();
    std::string id;
    id.reserve(max_id_length);
    id.append(prefix).append(1, '_');
    append_base62(id, static_cast<std::uint64_t>(std::max<std::int64_t>(0, since_1970.count())),
                  time_digits);
    append_random_base62(id, random_digits);
    return id;
}

}  // namespace parley
