// Arrays as binary parameters: one statement for many rows.
#pragma once

#include "store/postgres/types.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace parley::store::postgres {

// The numbers of types in pg_type.
inline constexpr Oid type_array_of_bytea = 1001;
inline constexpr Oid type_array_of_bigint = 1016;

namespace detail {

inline void append_int32(std::string& to, std::size_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift & 0xffU);
}

// One dimension, no NULL, elements from 1.
inline std::string head_of_array(Oid element, std::size_t count)
{
    std::string head;
    for (const std::size_t each :
         {std::size_t{1}, std::size_t{0}, std::size_t{element}, count, std::size_t{1}})
        append_int32(head, each);
    return head;
}

}  // namespace detail

inline std::string array_of(std::span<const std::string_view> values)
{
    std::string array = detail::head_of_array(type_bytea, values.size());
    for (const std::string_view value : values) {
        detail::append_int32(array, value.size());
        array += value;
    }
    return array;
}

inline std::string array_of(std::span<const std::int64_t> values)
{
    std::string array = detail::head_of_array(type_bigint, values.size());
    for (const std::int64_t value : values) {
        detail::append_int32(array, sizeof value);
        array += to_network_order(value);
    }
    return array;
}

}  // namespace parley::store::postgres
