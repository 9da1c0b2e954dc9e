#include "limits/local/earlier_layout.hpp"

#include "base/random.hpp"

#include <sodium.h>

#include <algorithm>
#include <span>

namespace parley::limits::local {
namespace {

constexpr std::uint64_t earlier_version = 1;
constexpr std::uint64_t earlier_most_places = 1 << 22;
constexpr std::uint64_t earlier_most_shards = 16;

std::array<unsigned char, 32> checksum(const EarlierHeader& header)
{
    std::array<unsigned char, 32> sum{};
    crypto_generichash(sum.data(), sum.size(),
                       reinterpret_cast<const unsigned char*>(&header.fixed), sizeof header.fixed,
                       nullptr, 0);
    return sum;
}

bool was_possible(const EarlierHeader::Fixed::Table& table)
{
    return table.of <= static_cast<std::uint32_t>(Class::general) &&
           table.group <= static_cast<std::uint32_t>(Group::address) && table.limit >= 1 &&
           table.limit <= Limits::max_limit && table.shards >= 1 &&
           table.shards <= earlier_most_shards && table.places >= 1 &&
           table.places <= earlier_most_places;
}

}  // namespace

std::optional<Header> translated(const EarlierHeader& earlier)
{
    const auto& fixed = earlier.fixed;
    if (checksum(earlier) != earlier.checksum || fixed.magic != file_magic ||
        fixed.version != earlier_version || !std::ranges::all_of(fixed.tables, was_possible))
        return std::nullopt;
    Header header;
    header.fixed.boot_id = fixed.boot_id;
    random_bytes(std::as_writable_bytes(std::span(header.fixed.hash_keys)));
    std::ranges::copy(fixed.hash_keys, header.fixed.hash_keys.begin());
    for (std::size_t i = 0; i < fixed.tables.size(); ++i)
        header.fixed.tables[i] = {.of = fixed.tables[i].of,
                                  .group = fixed.tables[i].group,
                                  .shards = fixed.tables[i].shards,
                                  .limit = fixed.tables[i].limit,
                                  .places = static_cast<std::uint32_t>(fixed.tables[i].places)};
    header.anchor = earlier.anchor;
    return header;
}

void seal(EarlierHeader& header) { header.checksum = checksum(header); }

}  // namespace parley::limits::local
