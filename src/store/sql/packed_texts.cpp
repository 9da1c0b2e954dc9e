#include "store/sql/packed_texts.hpp"

#include "store/sql/failure.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace parley::store::sql {

void append_packed(std::string& out, std::string_view text)
{
    if (text.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("a text of more than 4 GiB");
    auto rest = static_cast<std::uint32_t>(text.size());
    for (std::size_t i = 0; i < packed_length_size; ++i, rest >>= 8)
        out += static_cast<char>(rest & 0xff);
    out += text;
}

std::string pack(std::span<const std::string> texts)
{
    std::string packed;
    for (const std::string& text : texts) append_packed(packed, text);
    return packed;
}

std::string_view take_packed(std::string_view& packed)
{
    const auto damaged = [] { return damage("texts that are packed wrongly"); };
    if (packed.size() < packed_length_size) throw damaged();
    std::size_t size = 0;
    for (std::size_t i = packed_length_size; i-- > 0;)
        size = size << 8 | static_cast<unsigned char>(packed[i]);
    packed.remove_prefix(packed_length_size);
    if (packed.size() < size) throw damaged();
    const std::string_view text = packed.substr(0, size);
    packed.remove_prefix(size);
    return text;
}

std::vector<std::string> unpack(std::string_view packed)
{
    std::vector<std::string> texts;
    while (!packed.empty()) texts.emplace_back(take_packed(packed));
    return texts;
}

}  // namespace parley::store::sql
