#include "http/chunked.hpp"

#include "http/framing.hpp"

#include <algorithm>
#include <charconv>

namespace parley::http {
namespace {

// chunk-ext of RFC 9112 §7.1.1: *( ";" name [ "=" ( token / quoted-string ) ] )
bool is_extension(std::string_view text)
{
    while (!text.empty()) {
        if (text.front() != ';') return false;
        text.remove_prefix(1);
        const std::size_t name_end = std::min(text.find_first_of("=;"), text.size());
        if (!is_token(text.substr(0, name_end))) return false;
        text.remove_prefix(name_end);
        if (!text.starts_with('=')) continue;
        text.remove_prefix(1);
        if (text.starts_with('"')) {
            std::size_t at = 1;
            while (at < text.size() && text[at] != '"') {
                const auto byte = static_cast<unsigned char>(text[at]);
                if (byte < 0x20 && byte != '\t') return false;
                at += text[at] == '\\' ? 2 : 1;
            }
            if (at >= text.size()) return false;
            text.remove_prefix(at + 1);
        } else {
            const std::size_t end = std::min(text.find(';'), text.size());
            if (!is_token(text.substr(0, end))) return false;
            text.remove_prefix(end);
        }
    }
    return true;
}

}  // namespace

// True if `line_` holds a complete line, without its line break.
Result<bool> ChunkedDecoder::take_line(std::string_view& input)
{
    const std::size_t end = input.find('\n');
    const std::string_view part = input.substr(0, end == input.npos ? end : end + 1);
    overhead_ += part.size();
    if (line_.size() + part.size() > max_line || overhead_ > max_overhead)
        return invalid_request("The chunk extensions and trailers are too large.");
    line_ += part;
    input.remove_prefix(part.size());
    if (end == input.npos) return false;
    if (!line_.ends_with("\r\n"))
        return invalid_request("A line between chunks ends without a carriage return.");
    line_.resize(line_.size() - 2);
    return true;
}

Result<> ChunkedDecoder::read_size_line()
{
    const char* begin = line_.data();
    const char* end = begin + line_.size();
    const auto [stop, error] = std::from_chars(begin, end, left_, 16);
    if (error != std::errc() || *begin == '-')
        return invalid_request("The size of a chunk is malformed.");
    if (!is_extension({stop, end})) return invalid_request("The line before a chunk is malformed.");
    if (left_ > limit_ - received_)
        return Error{Errc::body_too_large,
                     "The body exceeds " + std::to_string(limit_) + " bytes."};
    received_ += left_;
    state_ = left_ == 0 ? State::trailers : State::data;
    return {};
}

Result<> ChunkedDecoder::read_trailer_line()
{
    if (line_.empty()) {
        state_ = State::done;
        return {};
    }
    const auto field = parse_field(line_);
    return field ? Result<>() : field.error();
}

Result<std::size_t> ChunkedDecoder::feed(std::string_view input, std::string& body)
{
    const std::size_t offered = input.size();
    while (!input.empty() && state_ != State::done) {
        if (state_ == State::data) {
            const std::string_view part =
                input.substr(0, std::min<std::uint64_t>(left_, input.size()));
            body += part;
            left_ -= part.size();
            input.remove_prefix(part.size());
            if (left_ == 0) state_ = State::data_end;
            continue;
        }
        auto whole = take_line(input);
        if (!whole) return whole.error();
        if (!*whole) {
            // Only the line break may follow a chunk, so this does not wait for the end of the
            // line.
            if (state_ == State::data_end && line_ != "\r")
                return invalid_request("A chunk is too long.");
            break;
        }
        Result<> read;
        if (state_ == State::size_line)
            read = read_size_line();
        else if (state_ == State::trailers)
            read = read_trailer_line();
        else if (line_.empty())
            state_ = State::size_line;
        else
            read = invalid_request("A chunk is longer than its size.");
        line_.clear();
        if (!read) return read.error();
    }
    return offered - input.size();
}

}  // namespace parley::http
