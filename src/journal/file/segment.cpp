#include "journal/file/segment.hpp"

#include "journal/file/record.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

namespace parley::journal::file {

Scan scan_records(const File& file,
                  const std::function<void(const Decoded&, std::uint32_t offset)>& found,
                  std::size_t chunk)
{
    std::uint64_t begin = header_size;  // Offset of the buffer's content.
    std::string buffer;
    std::size_t filled = 0;
    std::size_t used = 0;
    bool ended = false;
    for (;;) {
        const auto record = decode_record(std::string_view(buffer).substr(used, filled - used));
        // The index has 32-bit offsets. The writer never creates such a large segment.
        const bool within = begin + used <= std::numeric_limits<std::uint32_t>::max();
        if (record.kind == Decoded::Kind::record && within) {
            found(record, static_cast<std::uint32_t>(begin + used));
            used += record.size;
            continue;
        }
        if (record.kind != Decoded::Kind::incomplete || ended || !within)
            return {.good = begin + used, .whole = ended && used == filled};
        buffer.erase(0, used);
        begin += used;
        filled -= used;
        used = 0;
        buffer.resize(std::max(record.size, chunk));
        const auto got = file.read_at(begin + filled, std::span(buffer).subspan(filled));
        if (!got) return {.good = begin, .whole = false, .failure = got.error()};
        filled += *got;
        ended = filled < buffer.size();
    }
}

}  // namespace parley::journal::file
