#include "moving/zip_stream.hpp"

#include <algorithm>
#include <stdexcept>

namespace parley::moving {
namespace {

[[noreturn]] void fail_damaged() { throw std::runtime_error("the archive is damaged"); }

}  // namespace

ZipBuffer::ZipBuffer(std::istream& archive, const Packed& packed)
    : archive_(archive), packed_(packed)
{
    constexpr int raw = -MAX_WBITS;  // Without zlib's own header.
    if (packed_.is_deflated && ::inflateInit2(&inflater_, raw) != Z_OK) throw std::bad_alloc();
}

ZipBuffer::~ZipBuffer()
{
    if (packed_.is_deflated) ::inflateEnd(&inflater_);
}

ZipBuffer::int_type ZipBuffer::underflow()
{
    const std::size_t count = packed_.is_deflated ? unpack() : read_packed(out_);
    if (count == 0) {
        if (given_ != packed_.bytes || crc_ != packed_.crc) fail_damaged();
        return traits_type::eof();
    }
    given_ += count;
    if (given_ > packed_.bytes) fail_damaged();
    crc_ = static_cast<std::uint32_t>(
        ::crc32(crc_, reinterpret_cast<const Bytef*>(out_.data()), static_cast<uInt>(count)));
    setg(out_.data(), out_.data(), out_.data() + count);
    return traits_type::to_int_type(out_.front());
}

std::size_t ZipBuffer::unpack()
{
    inflater_.next_out = reinterpret_cast<Bytef*>(out_.data());
    inflater_.avail_out = static_cast<uInt>(out_.size());
    while (!has_ended_ && inflater_.avail_out == out_.size()) {
        if (inflater_.avail_in == 0) {
            inflater_.next_in = reinterpret_cast<Bytef*>(in_.data());
            inflater_.avail_in = static_cast<uInt>(read_packed(in_));
            if (inflater_.avail_in == 0) fail_damaged();  // Its end is missing.
        }
        const int status = ::inflate(&inflater_, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END) fail_damaged();
        has_ended_ = status == Z_STREAM_END;
    }
    return out_.size() - inflater_.avail_out;
}

// The next bytes of the archive; none at the end of the file.
std::size_t ZipBuffer::read_packed(std::span<char> into)
{
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(into.size(), packed_.packed_bytes - packed_read_));
    if (count == 0) return 0;
    archive_.clear();
    archive_.seekg(static_cast<std::streamoff>(packed_.at + packed_read_));
    if (!archive_.read(into.data(), static_cast<std::streamsize>(count))) fail_damaged();
    packed_read_ += count;
    return count;
}

}  // namespace parley::moving
