// The bytes of one file of a ZIP archive, unpacked while they are read.
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <span>
#include <streambuf>
#include <zlib.h>

namespace parley::moving {

// Throws inside of a read if the bytes are damaged, which makes the stream bad().
class ZipBuffer final : public std::streambuf {
public:
    struct Packed {
        std::uint64_t at = 0;  // In the archive.
        std::uint64_t packed_bytes = 0;
        std::uint64_t bytes = 0;
        std::uint32_t crc = 0;
        bool is_deflated = false;
    };

    // The stream of the archive must outlive it.
    ZipBuffer(std::istream& archive, const Packed& packed);
    ~ZipBuffer() override;
    ZipBuffer(const ZipBuffer&) = delete;
    ZipBuffer& operator=(const ZipBuffer&) = delete;

private:
    int_type underflow() override;
    std::size_t unpack();
    std::size_t read_packed(std::span<char> into);

    static constexpr std::size_t block = std::size_t{64} * 1024;

    std::istream& archive_;
    const Packed packed_;
    std::uint64_t packed_read_ = 0;
    std::uint64_t given_ = 0;
    std::uint32_t crc_ = 0;
    bool has_ended_ = false;
    z_stream inflater_{};
    std::array<char, block> in_{};
    std::array<char, block> out_{};
};

class ZipStream final : public std::istream {
public:
    ZipStream(std::istream& archive, const ZipBuffer::Packed& packed)
        : std::istream(nullptr), buffer_(archive, packed)
    {
        rdbuf(&buffer_);
    }

private:
    ZipBuffer buffer_;
};

}  // namespace parley::moving
