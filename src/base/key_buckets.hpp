// Boost.JSON hashes the keys of an object without a secret, so a sender can find keys that share a
// bucket. Each of them would be compared with all others.
#pragma once

#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>

namespace parley::json {

// In an object with half a million usual keys, at most 6 shared a bucket.
inline constexpr std::size_t longest_bucket = 64;

// Whether the bucket of the newest member has more members than that.
inline bool has_long_bucket(boost::json::object& object, boost::json::object::iterator newest)
{
    using boost::json::detail::access;
    constexpr auto end = static_cast<std::uint32_t>(-1);
    if (object.capacity() <= boost::json::detail::small_object_size_) return false;  // It has none.
    std::size_t size = 1;
    for (auto next = access::next(*newest); next != end; next = access::next(object.begin()[next]))
        if (++size > longest_bucket) return true;
    return false;
}

}  // namespace parley::json
