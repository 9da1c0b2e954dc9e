// The file as version 0.1 laid it out: fewer tables and kinds of keys, no large and no shared
// places. Its counts are taken over, so that an update of the program does not loosen the limits.
#pragma once

#include "limits/local/layout.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace parley::limits::local {

struct EarlierHeader {
    struct Fixed {
        std::uint64_t magic = 0;
        std::uint64_t version = 0;
        std::array<char, 40> boot_id{};
        std::array<std::array<unsigned char, 16>, 4> hash_keys{};
        struct Table {
            std::uint32_t of = 0;
            std::uint32_t group = 0;
            std::uint32_t limit = 0;
            std::uint32_t shards = 0;
            std::uint64_t places = 0;
        };
        std::array<Table, 6> tables{};
    };

    Fixed fixed;
    std::array<unsigned char, 32> checksum{};
    Header::ClockAnchor anchor;
};
static_assert(std::is_trivially_copyable_v<EarlierHeader>);
static_assert(std::has_unique_object_representations_v<EarlierHeader>);

// The same as a header of today, whose tables describe the earlier file. Nothing if it is damaged,
// or of another version.
std::optional<Header> translated(const EarlierHeader& earlier);

void seal(EarlierHeader& header);

}  // namespace parley::limits::local
