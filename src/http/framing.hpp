// The framing gate: determines, from the raw bytes, the end of a request's head, its content and
// the length of its body, before the request is processed. It refuses ambiguous requests, because a
// proxy before us might read them differently (request smuggling). After a refusal the connection
// must be closed: the beginning of the next request is unknown.
//
// This is the only parser of request heads, so that no two parsers can disagree. Why not Beast's:
// docs/decisions/0003-one-strict-parser.md.
#pragma once

#include "base/error.hpp"
#include "http/message.hpp"

#include <cstddef>
#include <string_view>

namespace parley::http {

inline constexpr std::size_t max_target_size = std::size_t{8} * 1024;
inline constexpr std::size_t max_fields_size = std::size_t{16} * 1024;
inline constexpr std::size_t max_field_count = 100;
inline constexpr std::size_t max_method_size = 32;

// The longest head that can pass: an empty line before it, its request line, its fields and the
// empty line after them.
inline constexpr std::size_t max_head_size =
    2 + max_method_size + 1 + max_target_size + sizeof(" HTTP/1.1\r\n") + max_fields_size + 2;

// Finds the end of a head that arrives in pieces; every byte is looked at once.
class FramingGate {
public:
    enum class Verdict { incomplete, complete, refused };

    // `received` is all that came since the last request, the bytes of earlier calls included.
    Verdict look(std::string_view received);

    // After `complete`: how many bytes the head takes.
    std::size_t head_size() const { return head_size_; }
    // After `refused`.
    Error error() const { return {error_, why_}; }

private:
    Verdict refuse(Errc code, const char* why);
    Verdict check_unfinished_line(std::string_view line);

    std::size_t scanned_ = 0;
    std::size_t line_start_ = 0;
    std::size_t fields_start_ = 0;  // 0: still in the request line.
    std::size_t field_count_ = 0;
    std::size_t head_size_ = 0;
    bool skipped_empty_line_ = false;
    Errc error_ = Errc::invalid_request;
    const char* why_ = "";
};

// Reads a whole head, up to and including its empty line. Fails with invalid_request,
// not_implemented (a transfer coding other than chunked), expectation_failed, or uri_too_long.
Result<> parse_head(std::string_view head, RequestHead& out);

// The readable part of a head that was refused or is incomplete, for its error response only: the
// target and the well-formed fields. Says nothing about framing.
RequestHead known_part(std::string_view received);

// One line of the form "name: value"; also what trailers are made of.
Result<Field> parse_field(std::string_view line);

bool is_token(std::string_view text);

}  // namespace parley::http
