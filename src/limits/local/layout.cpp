#include "limits/local/layout.hpp"

#include "base/random.hpp"
#include "limits/local/shard.hpp"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace parley::limits {
namespace {

constexpr std::uint64_t magic = 0x74696d696c6c7270;  // Other byte orders read another number.
constexpr std::uint64_t version = 1;

// A table takes no more than this, unless so few places are left that nobody could use it.
constexpr std::uint64_t most_table_bytes = 64 * 1024 * 1024;
constexpr std::uint64_t fewest_places = 16;
constexpr std::uint64_t most_places = 1 << 22;

constexpr std::uint64_t most_shards = 16;
constexpr std::uint64_t fewest_places_of_a_shard = 256;

std::uint64_t place_bytes(std::uint32_t limit)
{
    return Shard::words(limit) * sizeof(std::uint64_t);
}

TableLayout table(Class of, Group group, std::uint32_t limit, std::uint64_t wanted)
{
    const std::uint64_t affordable = std::max(most_table_bytes / place_bytes(limit), fewest_places);
    const std::uint64_t places =
        std::clamp<std::uint64_t>(wanted, 1, std::min(affordable, most_places));
    const std::uint64_t shards = std::clamp<std::uint64_t>(
        std::bit_floor(places / fewest_places_of_a_shard), 1, most_shards);
    return {of,
            group,
            limit,
            static_cast<std::uint32_t>(shards),
            static_cast<std::uint32_t>((places + shards - 1) / shards),
            wanted};
}

void checksum(const Header& header, std::span<unsigned char> out)
{
    crypto_generichash(out.data(), out.size(),
                       reinterpret_cast<const unsigned char*>(&header.fixed), sizeof header.fixed,
                       nullptr, 0);
}

}  // namespace

std::uint64_t TableLayout::bytes() const
{
    return std::uint64_t{shards} * places * place_bytes(limit);
}

Tables lay_out(const Limits& limits, const Room& room)
{
    const std::uint64_t users = std::min<std::uint64_t>(room.users, most_places);
    const std::uint64_t addresses = std::min<std::uint64_t>(room.addresses, most_places);
    const std::uint64_t login_addresses = (addresses + 3) / 4;
    // A name becomes live only by a request that its address had room for. So there are never more
    // live names than this, and nobody can fill the table of names before that of the addresses. A
    // quarter more, since chance spreads names over the shards.
    const std::uint64_t names = login_addresses * limits.auth * 5 / 4;
    return {table(Class::chat, Group::known, limits.chat, users),
            table(Class::general, Group::known, limits.general, users),
            table(Class::general, Group::address, limits.general, addresses),
            table(Class::auth, Group::known, limits.auth, users),
            table(Class::auth, Group::address, limits.auth, login_addresses),
            table(Class::auth, Group::account, limits.auth, names)};
}

Header make_header(const Tables& tables, std::string_view boot_id)
{
    Header header;
    header.fixed.magic = magic;
    header.fixed.version = version;
    std::copy_n(boot_id.begin(), std::min(boot_id.size(), header.fixed.boot_id.size()),
                header.fixed.boot_id.begin());
    random_bytes(std::as_writable_bytes(std::span(header.fixed.hash_keys)));
    for (std::size_t i = 0; i < tables.size(); ++i)
        header.fixed.tables[i] = {static_cast<std::uint32_t>(tables[i].of),
                                  static_cast<std::uint32_t>(tables[i].group), tables[i].limit,
                                  tables[i].shards, tables[i].places};
    seal(header);
    return header;
}

void seal(Header& header) { checksum(header, header.checksum); }

bool is_sound(const Header& header)
{
    std::array<unsigned char, sizeof header.checksum> expected{};
    checksum(header, expected);
    if (expected != header.checksum) return false;
    if (header.fixed.magic != magic || header.fixed.version != version) return false;
    return std::ranges::all_of(header.fixed.tables, [](const auto& each) {
        return each.of <= static_cast<std::uint32_t>(Class::general) &&
               each.group <= static_cast<std::uint32_t>(Group::address) && each.limit >= 1 &&
               each.limit <= Limits::max_limit && each.shards >= 1 && each.shards <= most_shards &&
               each.places >= 1 && each.places <= most_places;
    });
}

Tables tables_of(const Header& header)
{
    Tables tables{};
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const auto& each = header.fixed.tables[i];
        tables[i] = {static_cast<Class>(each.of),
                     static_cast<Group>(each.group),
                     each.limit,
                     each.shards,
                     static_cast<std::uint32_t>(each.places),
                     each.places};
    }
    return tables;
}

std::uint64_t file_bytes(const Tables& tables)
{
    std::uint64_t bytes = tables_begin;
    for (const TableLayout& each : tables) bytes += each.bytes();
    return bytes;
}

}  // namespace parley::limits
