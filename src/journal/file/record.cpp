#include "journal/file/record.hpp"

#include <algorithm>
#include <zlib.h>

namespace parley::journal::file {
namespace {

constexpr std::string_view magic = "PARLEYJ\n";

std::uint32_t crc_of(std::string_view bytes)
{
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

using Word = std::array<char, 4>;

Word word_of(std::uint32_t value)
{
    return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16),
            static_cast<char>(value >> 24)};
}

std::uint32_t read_word(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

void append_word(std::string& out, std::uint32_t value)
{
    const Word word = word_of(value);
    out.append(word.data(), word.size());
}

}  // namespace

std::optional<RunName> RunName::from(std::string_view text)
{
    if (text.empty() || text.size() > max_run_size) return std::nullopt;
    RunName run;
    run.size_ = static_cast<std::uint8_t>(text.size());
    std::ranges::copy(text, run.bytes_.begin());
    return run;
}

void append_header(std::string& out, std::uint32_t version)
{
    const std::size_t begin = out.size();
    out.append(magic);
    append_word(out, version);
    append_word(out, crc_of(std::string_view(out).substr(begin)));
}

Header judge_header(std::string_view bytes)
{
    if (bytes.size() < header_size || !bytes.starts_with(magic)) return Header::damaged;
    if (read_word(bytes, 12) != crc_of(bytes.substr(0, 12))) return Header::damaged;
    const std::uint32_t version = read_word(bytes, 8);
    if (version > format_version) return Header::newer;
    return version == format_version ? Header::ours : Header::damaged;
}

void append_record(std::string& out, std::string_view run, std::uint32_t number,
                   std::string_view frame)
{
    const std::size_t begin = out.size();
    append_word(out, 0);  // The CRC, filled in at the end.
    append_word(out, static_cast<std::uint32_t>(frame.size()));
    append_word(out, number);
    out.push_back(static_cast<char>(run.size()));
    out.append(run);
    out.append(frame);
    const Word crc = word_of(crc_of(std::string_view(out).substr(begin + 4)));
    std::ranges::copy(crc, out.begin() + static_cast<std::ptrdiff_t>(begin));
}

Decoded decode_record(std::string_view bytes)
{
    if (bytes.size() < record_overhead)
        return {.kind = Decoded::Kind::incomplete, .size = record_overhead};
    const std::size_t frame = read_word(bytes, 4);
    const std::size_t run = static_cast<unsigned char>(bytes[12]);
    // Checked before the size is used: a wrong size must not allocate or wait for 4 GiB.
    if (frame > max_frame_size || run == 0 || run > max_run_size) return {};
    const std::size_t size = record_overhead + run + frame;
    if (bytes.size() < size) return {.kind = Decoded::Kind::incomplete, .size = size};
    if (read_word(bytes, 0) != crc_of(bytes.substr(4, size - 4))) return {};
    return {.kind = Decoded::Kind::record,
            .size = size,
            .number = read_word(bytes, 8),
            .run = bytes.substr(record_overhead, run),
            .frame = bytes.substr(record_overhead + run, frame)};
}

}  // namespace parley::journal::file
