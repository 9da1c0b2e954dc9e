// Metadata: a few texts that clients may attach to sessions and questions.
#pragma once

#include "fields/fields.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace parley::api {

using Metadata = std::map<std::string, std::string>;

// The rules of a field of that type.
inline constexpr auto metadata_size = fields::length(0, 16);
inline constexpr auto metadata_keys = fields::keys(fields::characters(1, 64));
inline constexpr auto metadata_values = fields::each(fields::characters(0, 512));

// A completion may send these ids of an earlier answer back; they do not count.
inline constexpr std::array<std::string_view, 2> ids_in_metadata{"session_id", "run_id"};

struct MetadataWithIdsSize {
    void check(const Metadata& metadata, const fields::FieldPath& at) const
    {
        std::size_t own = metadata.size();
        for (const std::string_view id : ids_in_metadata) own -= metadata.count(std::string(id));
        fields::detail::check_count(own, metadata_size.min, metadata_size.max, "entry", at);
    }
    void describe(boost::json::object& schema) const
    {
        schema["maxProperties"] = metadata_size.max + ids_in_metadata.size();
    }
};
inline constexpr MetadataWithIdsSize metadata_with_ids_size;

}  // namespace parley::api
