// The types of parameters and columns, and integers as they travel.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <string>

namespace parley::store::postgres {

// The numbers of types in pg_type.
inline constexpr Oid type_bytea = 17;
inline constexpr Oid type_bigint = 20;
inline constexpr Oid type_numeric = 1700;

inline std::string to_network_order(std::int64_t value)
{
    std::string bytes(sizeof value, '\0');
    auto rest = static_cast<std::uint64_t>(value);
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte, rest >>= 8)
        *byte = static_cast<char>(rest & 0xff);
    return bytes;
}

}  // namespace parley::store::postgres
