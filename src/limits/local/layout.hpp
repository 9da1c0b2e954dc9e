// How the file of the limits is laid out: a page that says what follows, then the tables one after
// the other, each a row of places (see shard.hpp) of one size. Fresh bytes are zero and mean that
// nothing was admitted. There are no locks in the file, and no pointers.
#pragma once

#include "limits/classes.hpp"
#include "limits/key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace parley::limits {

// Who can make a table full. Ids are given by us; names and addresses come from anybody, so that
// neither may share a table with users.
enum class Group : std::uint32_t { known, account, address };

constexpr Group group_of(Key::Kind kind)
{
    if (kind == Key::Kind::account) return Group::account;
    if (kind == Key::Kind::address) return Group::address;
    return Group::known;
}

struct TableLayout {
    Class of;
    Group group;
    std::uint32_t limit;
    std::uint32_t shards;
    std::uint32_t places;  // In each shard.
    std::uint64_t wanted;  // In all shards, if there were no bound to the size of a table.

    std::uint64_t bytes() const;
};
inline constexpr std::size_t table_count = 6;
using Tables = std::array<TableLayout, table_count>;

// How many keys are to have room, see LocalLimiter::Options.
struct Room {
    std::size_t users;
    std::size_t addresses;
};

// Takes less room than asked for where the limits are so high that a table would be too large.
Tables lay_out(const Limits& limits, const Room& room);

struct Header {
    // Fixed when the file is made, and covered by the checksum.
    struct Fixed {
        std::uint64_t magic = 0;
        std::uint64_t version = 0;
        std::array<char, 40> boot_id{};
        // A secret of the file for each kind of key: nobody can aim at a place of the tables.
        std::array<std::array<unsigned char, 16>, 4> hash_keys{};
        struct Table {
            std::uint32_t of = 0;
            std::uint32_t group = 0;
            std::uint32_t limit = 0;
            std::uint32_t shards = 0;
            std::uint64_t places = 0;
        };
        std::array<Table, table_count> tables{};
    };

    // Written again and again, see pulse.hpp.
    struct Pulse {
        std::uint64_t wall_minus_steady = 0;
        std::uint64_t last_seen = 0;
        std::uint64_t check = 0;
    };

    Fixed fixed;
    std::array<unsigned char, 32> checksum{};
    Pulse pulse;
};
static_assert(std::is_trivially_copyable_v<Header>);
static_assert(std::has_unique_object_representations_v<Header>);

inline constexpr std::size_t tables_begin = 4096;
static_assert(sizeof(Header) <= tables_begin);

Header make_header(const Tables& tables, std::string_view boot_id);
void seal(Header& header);

// Whole, of this version, and describing tables that can be.
bool is_sound(const Header& header);

Tables tables_of(const Header& header);
std::uint64_t file_bytes(const Tables& tables);

}  // namespace parley::limits
