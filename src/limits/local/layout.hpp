// The layout of the rate-limit file: a header page, then the tables one after the other, each with
// shards (see shard.hpp) of one size. New bytes are zero, which means that nothing was admitted.
// There are no locks and no pointers in the file.
#pragma once

#include "limits/classes.hpp"
#include "limits/key.hpp"
#include "limits/local/shard.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace parley::limits::local {

// Groups of keys by who can fill a table. The server creates user ids, but anyone can send names
// and addresses, and a user can create many tokens: none of these may share a table with users.
enum class Group : std::uint32_t { known, account, address, network, token };
inline constexpr std::size_t group_count = 5;

constexpr Group group_of(Key::Kind kind)
{
    switch (kind) {
        case Key::Kind::account:
            return Group::account;
        case Key::Kind::address:
            return Group::address;
        case Key::Kind::network:
            return Group::network;
        case Key::Kind::token:
            return Group::token;
        case Key::Kind::user:
        case Key::Kind::login:
            break;
    }
    return Group::known;
}

struct TableLayout {
    Class of;
    Group group;
    std::uint32_t shards;
    ShardLayout shard;
    std::uint64_t wanted;  // Places in all shards, if there were no bound to the size of a table.

    std::uint64_t places() const { return std::uint64_t{shards} * shard.places; }
    std::uint64_t bytes() const { return shards * shard.words() * sizeof(std::uint64_t); }
};
inline constexpr std::size_t table_count = 11;
using Tables = std::array<TableLayout, table_count>;

// The number of keys, see LocalLimiter::Options.
struct Room {
    std::size_t users;
    std::size_t addresses;
    std::size_t logins;
};

// Makes fewer places than requested if the limits are so high that a table would be too large.
Tables lay_out(const Limits& limits, const Room& room);

struct Header {
    // Fixed when the file is made, and covered by the checksum.
    struct Fixed {
        std::uint64_t magic = 0;
        std::uint64_t version = 0;
        std::array<char, 40> boot_id{};
        // A secret of the file for each kind of key: attackers cannot choose the places of their
        // keys.
        std::array<std::array<unsigned char, 16>, Key::kinds> hash_keys{};
        struct Table {
            std::uint32_t of = 0;
            std::uint32_t group = 0;
            std::uint32_t shards = 0;
            std::uint32_t limit = 0;
            std::uint32_t places = 0;
            std::uint32_t large_limit = 0;
            std::uint32_t large_places = 0;
            std::uint32_t shares = 0;
        };
        std::array<Table, table_count> tables{};
    };

    // Written again and again, see clock_anchor.hpp.
    struct ClockAnchor {
        std::uint64_t wall_minus_steady = 0;
        std::uint64_t last_seen = 0;
        std::uint64_t check = 0;
    };

    Fixed fixed;
    std::array<unsigned char, 32> checksum{};
    ClockAnchor anchor;
};
static_assert(std::is_trivially_copyable_v<Header>);
static_assert(std::has_unique_object_representations_v<Header>);

inline constexpr std::size_t tables_begin = 4096;
static_assert(sizeof(Header) <= tables_begin);

inline constexpr std::uint64_t file_magic = 0x74696d696c6c7270;  // Otherwise in other byte orders.

Header make_header(const Tables& tables, std::string_view boot_id);
void seal(Header& header);

// Complete, of this version, and with a possible layout.
bool is_sound(const Header& header);

Tables tables_of(const Header& header);
std::uint64_t file_bytes(const Tables& tables);

}  // namespace parley::limits::local
