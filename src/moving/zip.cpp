#include "moving/zip.hpp"

#include "moving/zip_stream.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace parley::moving {
namespace {

constexpr std::uint32_t local_header = 0x04034b50;
constexpr std::uint32_t directory_header = 0x02014b50;
constexpr std::uint32_t end_of_directory = 0x06054b50;
constexpr std::uint32_t end_of_directory_64 = 0x06064b50;
constexpr std::uint32_t locator_64 = 0x07064b50;

constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;

constexpr std::size_t end_size = 22;
constexpr std::size_t locator_size = 20;
constexpr std::size_t max_comment = 0xffff;
// An export has one file for each picture of its conversations.
constexpr std::uint64_t max_directory_bytes = std::uint64_t{64} << 20U;
// A value that is in the fields of ZIP64 instead.
constexpr std::uint32_t in_extra = 0xffffffff;

Error no_zip()
{
    return {Errc::invalid_request, "The file is not a ZIP archive, or it is damaged."};
}

// A number at a place of bytes, the lowest byte first; 0 behind their end.
template <class Number>
Number number_at(std::string_view bytes, std::size_t at)
{
    Number number = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;) {
        const unsigned char byte =
            at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0;
        number = static_cast<Number>((std::uint64_t{number} << 8U) | byte);
    }
    return number;
}

std::uint64_t size_of(std::istream& in)
{
    in.clear();
    in.seekg(0, std::ios::end);
    const auto end = in.tellg();
    return end < 0 ? 0 : static_cast<std::uint64_t>(end);
}

// Nothing if there are fewer bytes.
std::optional<std::string> bytes_at(std::istream& in, std::uint64_t at, std::uint64_t count)
{
    const std::uint64_t size = size_of(in);
    if (at > size || count > size - at) return std::nullopt;
    std::string bytes(static_cast<std::size_t>(count), '\0');
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(bytes.data(), static_cast<std::streamsize>(count))) return std::nullopt;
    return bytes;
}

struct Directory {
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
};

Directory directory_64(std::istream& in, std::string_view locator, Directory otherwise)
{
    if (number_at<std::uint32_t>(locator, 0) != locator_64) return otherwise;
    constexpr std::uint64_t record_size = 56;
    const auto record = bytes_at(in, number_at<std::uint64_t>(locator, 8), record_size);
    if (!record || number_at<std::uint32_t>(*record, 0) != end_of_directory_64) return otherwise;
    return {number_at<std::uint64_t>(*record, 48), number_at<std::uint64_t>(*record, 40)};
}

// The end of the directory is at the end of the file, before a comment.
std::optional<Directory> find_directory(std::istream& in)
{
    const std::uint64_t size = size_of(in);
    const std::uint64_t count =
        std::min<std::uint64_t>(size, locator_size + end_size + max_comment);
    const auto tail = bytes_at(in, size - count, count);
    if (!tail || tail->size() < end_size) return std::nullopt;
    for (std::size_t at = tail->size() - end_size + 1; at-- > 0;) {
        if (number_at<std::uint32_t>(*tail, at) != end_of_directory) continue;
        const Directory found{number_at<std::uint32_t>(*tail, at + 16),
                              number_at<std::uint32_t>(*tail, at + 12)};
        if (at < locator_size) return found;
        return directory_64(in, std::string_view(*tail).substr(at - locator_size, locator_size),
                            found);
    }
    return std::nullopt;
}

// Sizes and offset that do not fit into the entry itself, in this order.
void read_extra(std::string_view extra, ZipEntry& entry)
{
    constexpr std::uint16_t zip_64 = 1;
    while (extra.size() >= 4) {
        const auto kind = number_at<std::uint16_t>(extra, 0);
        const std::size_t size =
            std::min<std::size_t>(number_at<std::uint16_t>(extra, 2), extra.size() - 4);
        if (kind == zip_64) {
            const std::string_view values = extra.substr(4, size);
            std::size_t at = 0;
            for (std::uint64_t* value : {&entry.bytes, &entry.packed_bytes, &entry.header_at}) {
                if (*value != in_extra) continue;
                *value = number_at<std::uint64_t>(values, at);
                at += sizeof(std::uint64_t);
            }
        }
        extra.remove_prefix(4 + size);
    }
}

constexpr std::size_t entry_size = 46;

// The next entry, and the bytes behind it; nothing if it is damaged.
std::optional<ZipEntry> take_entry(std::string_view& bytes)
{
    if (bytes.size() < entry_size || number_at<std::uint32_t>(bytes, 0) != directory_header)
        return std::nullopt;
    const std::size_t name = number_at<std::uint16_t>(bytes, 28);
    const std::size_t extra = number_at<std::uint16_t>(bytes, 30);
    const std::size_t comment = number_at<std::uint16_t>(bytes, 32);
    if (bytes.size() - entry_size < name + extra + comment) return std::nullopt;
    ZipEntry entry{.name = std::string(bytes.substr(entry_size, name)),
                   .method = number_at<std::uint16_t>(bytes, 10),
                   .is_encrypted = (number_at<std::uint16_t>(bytes, 8) & 1U) != 0,
                   .crc = number_at<std::uint32_t>(bytes, 16),
                   .packed_bytes = number_at<std::uint32_t>(bytes, 20),
                   .bytes = number_at<std::uint32_t>(bytes, 24),
                   .header_at = number_at<std::uint32_t>(bytes, 42)};
    read_extra(bytes.substr(entry_size + name, extra), entry);
    bytes.remove_prefix(entry_size + name + extra + comment);
    return entry;
}

}  // namespace

bool is_zip(std::istream& in)
{
    std::string start(4, '\0');
    in.read(start.data(), 4);
    in.clear();
    in.seekg(0);
    const auto first = number_at<std::uint32_t>(start, 0);
    return first == local_header || first == end_of_directory;
}

Result<Zip> Zip::open(std::istream& in)
{
    const auto directory = find_directory(in);
    if (!directory || directory->bytes > max_directory_bytes) return no_zip();
    const auto bytes = bytes_at(in, directory->at, directory->bytes);
    if (!bytes) return no_zip();
    Zip zip(in);
    for (std::string_view rest = *bytes; !rest.empty();) {
        auto entry = take_entry(rest);
        if (!entry) return no_zip();
        zip.entries_.push_back(std::move(*entry));
    }
    return zip;
}

Result<std::unique_ptr<std::istream>> Zip::read(const ZipEntry& entry)
{
    if (entry.is_encrypted)
        return Error{Errc::invalid_request, entry.name + " is encrypted in the archive."};
    if (entry.method != stored && entry.method != deflated)
        return Error{Errc::invalid_request,
                     entry.name + " is compressed in a way that Parley does not know."};
    constexpr std::uint64_t header_size = 30;
    const auto header = bytes_at(*in_, entry.header_at, header_size);
    if (!header || number_at<std::uint32_t>(*header, 0) != local_header) return no_zip();
    const std::uint64_t begin = entry.header_at + header_size +
                                number_at<std::uint16_t>(*header, 26) +
                                number_at<std::uint16_t>(*header, 28);
    return std::unique_ptr<std::istream>(std::make_unique<ZipStream>(
        *in_, ZipBuffer::Packed{.at = begin,
                                .packed_bytes = entry.packed_bytes,
                                .bytes = entry.bytes,
                                .crc = entry.crc,
                                .is_deflated = entry.method == deflated}));
}

}  // namespace parley::moving
