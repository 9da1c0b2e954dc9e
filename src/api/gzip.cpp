#include "api/gzip.hpp"

#include <new>
#include <zlib.h>

namespace parley::api {
namespace {

constexpr int window_bits = 15;
constexpr int as_gzip = 16;  // Added to the window size: selects the format of gzip, with header
                             // and checksum.
constexpr int memory_level = 8;

}  // namespace

std::string gzip(std::string_view text)
{
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window_bits + as_gzip, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    // zlib only reads it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);  // The buffer has the size of deflateBound.
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace parley::api
