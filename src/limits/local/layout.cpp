#include "limits/local/layout.hpp"

#include "base/random.hpp"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace parley::limits::local {
namespace {

constexpr std::uint64_t version = 3;

// The maximum size of a table, unless too few places would be left to be useful. Users without a
// place are refused, so they get more memory than unknown clients, who share a place.
constexpr std::uint64_t most_bytes_of_users = std::uint64_t{64} << 20;
constexpr std::uint64_t most_bytes_of_others = std::uint64_t{16} << 20;
constexpr std::uint64_t fewest_places = 16;
constexpr std::uint64_t most_places = 1 << 22;

constexpr std::uint64_t most_shards = 16;
constexpr std::uint64_t fewest_places_of_a_shard = 256;

// The share of users or tokens that may have a limit above the class's at the same time.
constexpr std::uint64_t users_per_large_place = 16;

std::uint64_t affordable_places(Group group, std::uint32_t limit)
{
    const std::uint64_t bytes = group == Group::known ? most_bytes_of_users : most_bytes_of_others;
    const std::uint64_t place = ShardLayout::words_of_place(limit) * sizeof(std::uint64_t);
    return std::min(std::max(bytes / place, fewest_places), most_places);
}

std::uint32_t per_shard(std::uint64_t places, std::uint64_t shards)
{
    return static_cast<std::uint32_t>((places + shards - 1) / shards);
}

bool is_strangers(Group group)
{
    return group == Group::account || group == Group::address || group == Group::network;
}

bool has_own_limits(Class of, Group group)
{
    return of != Class::auth && of != Class::hook &&
           (group == Group::known || group == Group::token);
}

TableLayout table(Class of, Group group, std::uint32_t limit, std::uint64_t wanted)
{
    const std::uint64_t places =
        std::clamp<std::uint64_t>(wanted, 1, affordable_places(group, limit));
    const std::uint64_t shards = std::clamp<std::uint64_t>(
        std::bit_floor(places / fewest_places_of_a_shard), 1, most_shards);
    ShardLayout shard{
        .limit = limit, .places = per_shard(places, shards), .shares = is_strangers(group)};
    if (has_own_limits(of, group) && limit < Limits::max_own_limit) {
        shard.large_limit = Limits::max_own_limit;
        shard.large_places = per_shard(std::min(wanted / users_per_large_place + 1,
                                                affordable_places(group, Limits::max_own_limit)),
                                       shards);
    }
    return {of, group, static_cast<std::uint32_t>(shards), shard, wanted};
}

void checksum(const Header& header, std::span<unsigned char> out)
{
    crypto_generichash(out.data(), out.size(),
                       reinterpret_cast<const unsigned char*>(&header.fixed), sizeof header.fixed,
                       nullptr, 0);
}

bool can_be(const Header::Fixed::Table& table)
{
    const auto is_number = [](std::uint32_t number, std::uint64_t most) {
        return number >= 1 && number <= most;
    };
    const bool has_large = table.large_places > 0;
    return table.of <= static_cast<std::uint32_t>(Class::hook) &&
           table.group <= static_cast<std::uint32_t>(Group::token) &&
           is_number(table.shards, most_shards) && std::has_single_bit(table.shards) &&
           is_number(table.limit, Limits::max_limit) && is_number(table.places, most_places) &&
           table.large_limit == (has_large ? Limits::max_own_limit : 0) &&
           table.large_places <= most_places && table.shares <= 1;
}

}  // namespace

Tables lay_out(const Limits& limits, const Room& room)
{
    const auto most = [](std::size_t wanted) {
        return std::min<std::uint64_t>(wanted, most_places);
    };
    const std::uint64_t users = most(room.users);
    const std::uint64_t tokens = (users + 3) / 4;
    const std::uint64_t addresses = most(room.addresses);
    const std::uint64_t logins = most(room.logins);
    const auto networks = [](std::uint64_t addresses) { return (addresses + 15) / 16; };
    using enum Class;
    return {table(chat, Group::known, limits.chat, users),
            table(general, Group::known, limits.general, users),
            table(general, Group::address, limits.of_address(general), addresses),
            table(auth, Group::known, limits.auth, users),
            table(auth, Group::address, limits.of_address(auth), logins),
            table(auth, Group::account, limits.auth, logins),
            table(general, Group::network, limits.of_network(general), networks(addresses)),
            table(auth, Group::network, limits.of_network(auth), networks(logins)),
            table(chat, Group::token, limits.chat, tokens),
            table(general, Group::token, limits.general, tokens),
            table(hook, Group::token, limits.hook, users)};
}

Header make_header(const Tables& tables, std::string_view boot_id)
{
    Header header;
    header.fixed.magic = file_magic;
    header.fixed.version = version;
    std::copy_n(boot_id.begin(), std::min(boot_id.size(), header.fixed.boot_id.size()),
                header.fixed.boot_id.begin());
    random_bytes(std::as_writable_bytes(std::span(header.fixed.hash_keys)));
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const ShardLayout& shard = tables[i].shard;
        header.fixed.tables[i] = {.of = static_cast<std::uint32_t>(tables[i].of),
                                  .group = static_cast<std::uint32_t>(tables[i].group),
                                  .shards = tables[i].shards,
                                  .limit = shard.limit,
                                  .places = shard.places,
                                  .large_limit = shard.large_limit,
                                  .large_places = shard.large_places,
                                  .shares = shard.shares ? 1U : 0U};
    }
    seal(header);
    return header;
}

void seal(Header& header) { checksum(header, header.checksum); }

bool is_sound(const Header& header)
{
    std::array<unsigned char, sizeof header.checksum> expected{};
    checksum(header, expected);
    if (expected != header.checksum) return false;
    if (header.fixed.magic != file_magic || header.fixed.version != version) return false;
    return std::ranges::all_of(header.fixed.tables, can_be);
}

Tables tables_of(const Header& header)
{
    Tables tables{};
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const auto& each = header.fixed.tables[i];
        tables[i] = {.of = static_cast<Class>(each.of),
                     .group = static_cast<Group>(each.group),
                     .shards = each.shards,
                     .shard = {.limit = each.limit,
                               .places = each.places,
                               .large_limit = each.large_limit,
                               .large_places = each.large_places,
                               .shares = each.shares != 0},
                     .wanted = 0};
    }
    return tables;
}

std::uint64_t file_bytes(const Tables& tables)
{
    std::uint64_t bytes = tables_begin;
    for (const TableLayout& each : tables) bytes += each.bytes();
    return bytes;
}

}  // namespace parley::limits::local
