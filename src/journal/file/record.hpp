// The format of the journal's files. A segment is a header followed by records; numbers are
// little-endian:
//
//   header   "PARLEYJ\n" · format version u32 · CRC u32 of these twelve bytes
//   record   CRC u32 of all that follows · size of the frame u32 · number u32 ·
//            size of the run's name u8 · the run's name · the frame
//
// The first sixteen bytes keep their meaning in every later format, so that an older program knows
// what it must not touch. A region of zeros is no record: a run has a name.
//
// Threads: pure functions and values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace parley::journal::file {

inline constexpr std::uint32_t format_version = 1;
inline constexpr std::size_t header_size = 16;
inline constexpr std::size_t record_overhead = 13;  // Without the run's name.
inline constexpr std::size_t max_run_size = 40;
inline constexpr std::size_t max_frame_size = std::size_t{4} * 1024 * 1024;
inline constexpr std::size_t max_record_size = record_overhead + max_run_size + max_frame_size;

// The name of a run: 1 to 40 bytes of any kind, kept in place.
class RunName {
public:
    static std::optional<RunName> from(std::string_view text);

    std::string_view text() const { return {bytes_.data(), size_}; }

    friend bool operator==(const RunName& one, const RunName& other)
    {
        return one.text() == other.text();
    }

private:
    RunName() = default;

    std::uint8_t size_ = 0;
    std::array<char, max_run_size> bytes_;
};

void append_header(std::string& out, std::uint32_t version = format_version);

enum class Header { ours, newer, damaged };
Header judge_header(std::string_view bytes);

constexpr std::size_t record_size(std::string_view run, std::size_t frame)
{
    return record_overhead + run.size() + frame;
}
void append_record(std::string& out, std::string_view run, std::uint32_t number,
                   std::string_view frame);

// The record at the beginning of some bytes.
struct Decoded {
    enum class Kind { record, incomplete, damaged };

    Kind kind = Kind::damaged;
    std::size_t size = 0;  // The record's bytes; if it is incomplete, the bytes that are needed.
    std::uint32_t number = 0;
    std::string_view run = {};
    std::string_view frame = {};
};
Decoded decode_record(std::string_view bytes);

}  // namespace parley::journal::file

template <>
struct std::hash<parley::journal::file::RunName> {
    // Not noexcept: only then does libstdc++'s table keep the hashes, instead of hashing every run
    // it passes on its way to the one that is looked for.
    std::size_t operator()(const parley::journal::file::RunName& run) const
    {
        return std::hash<std::string_view>()(run.text());
    }
};
