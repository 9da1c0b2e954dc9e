// Decodes a body in the chunked transfer coding (RFC 9112 §7.1) as it arrives, as strictly as the
// framing gate reads heads: no bare line feeds, no signs or prefixes before a size, nothing between
// a chunk and the next. Extensions are skipped; trailers are checked and dropped.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::http {

class ChunkedDecoder {
public:
    // `limit` is the maximum size of the body.
    explicit ChunkedDecoder(std::size_t limit) : limit_(limit) {}

    // Appends the decoded part of `input` to `body` and returns how many bytes of `input` were
    // used; bytes after the end of the body are not used. Fails with body_too_large as soon as a
    // chunk announces too much, and with invalid_request.
    Result<std::size_t> feed(std::string_view input, std::string& body);

    bool done() const { return state_ == State::done; }

private:
    enum class State { size_line, data, data_end, trailers, done };

    Result<> read_size_line();
    Result<> read_trailer_line();
    Result<bool> take_line(std::string_view& input);

    // All size lines and trailers of one body together; a client that sends one byte per chunk and
    // a long extension with each would make us read without end.
    static constexpr std::size_t max_overhead = std::size_t{256} * 1024;
    static constexpr std::size_t max_line = 4096;

    std::size_t limit_;
    State state_ = State::size_line;
    std::string line_;
    std::uint64_t left_ = 0;  // Bytes left of the current chunk.
    std::size_t received_ = 0;
    std::size_t overhead_ = 0;
};

}  // namespace parley::http
