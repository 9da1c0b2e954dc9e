#include "http/framing.hpp"

#include "base/ascii.hpp"

#include <array>
#include <cstring>

namespace parley::http {
namespace {

// The characters of names and methods, RFC 9110 §5.6.2.
constexpr std::array<bool, 256> token_characters = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789"
                                         "abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

bool is_token_character(char c) { return token_characters[static_cast<unsigned char>(c)]; }

bool allowed_in_value(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

}  // namespace

bool is_token(std::string_view text)
{
    for (const char c : text)
        if (!is_token_character(c)) return false;
    return !text.empty();
}

FramingGate::Verdict FramingGate::refuse(Errc code, const char* why)
{
    error_ = code;
    why_ = why;
    return Verdict::refused;
}

FramingGate::Verdict FramingGate::look(std::string_view received)
{
    while (true) {
        const void* found =
            scanned_ < received.size()
                ? std::memchr(received.data() + scanned_, '\n', received.size() - scanned_)
                : nullptr;
        if (!found) break;
        const auto end =
            static_cast<std::size_t>(static_cast<const char*>(found) - received.data());
        const std::string_view line = received.substr(line_start_, end - line_start_);
        if (line.empty() || line.back() != '\r')
            return refuse(Errc::invalid_request,
                          "A line of the head ends without a carriage return.");
        scanned_ = end + 1;

        if (fields_start_ == 0 && line.size() == 1) {
            // RFC 9112 §2.2: one empty line before the request is allowed.
            if (skipped_empty_line_)
                return refuse(Errc::invalid_request, "The request begins with empty lines.");
            skipped_empty_line_ = true;
            line_start_ = scanned_;
            continue;
        }
        const Verdict verdict = check_unfinished_line(line.substr(0, line.size() - 1));
        if (verdict == Verdict::refused) return verdict;
        if (fields_start_ == 0) {
            fields_start_ = scanned_;
        } else if (line.size() == 1) {
            head_size_ = scanned_;
            return Verdict::complete;
        } else if (++field_count_ > max_field_count) {
            return refuse(Errc::headers_too_large, "The request has more than 100 header fields.");
        }
        line_start_ = scanned_;
    }
    scanned_ = received.size();
    std::string_view unfinished = received.substr(line_start_);
    if (unfinished.ends_with('\r')) unfinished.remove_suffix(1);  // The line feed may follow.
    return check_unfinished_line(unfinished);
}

// Checks a line before its end has arrived, so that an invalid request is refused without waiting
// for a timeout.
FramingGate::Verdict FramingGate::check_unfinished_line(std::string_view line)
{
    if (fields_start_ != 0) {
        if (line_start_ + line.size() - fields_start_ > max_fields_size)
            return refuse(Errc::headers_too_large, "The header fields exceed 16 KiB.");
        return Verdict::incomplete;
    }
    const std::size_t space = line.find(' ');
    const std::string_view method = line.substr(0, space);
    if (method.size() > max_method_size)
        return refuse(Errc::invalid_request, "The method is too long.");
    if (!method.empty() && !is_token(method))
        return refuse(Errc::invalid_request, "This is not an HTTP/1.1 request.");
    if (space == line.npos) return Verdict::incomplete;
    const std::string_view target = line.substr(space + 1);
    if (target.substr(0, target.find(' ')).size() > max_target_size)
        return refuse(Errc::uri_too_long, "The request target exceeds 8 KiB.");
    if (target.size() > max_target_size + sizeof(" HTTP/1.1\r"))
        return refuse(Errc::invalid_request, "The request line is malformed.");
    return Verdict::incomplete;
}

Result<Field> parse_field(std::string_view line)
{
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return invalid_request("A header field has no colon.");
    const Field field{line.substr(0, colon), ascii::trimmed(line.substr(colon + 1))};
    if (!is_token(field.name)) return invalid_request("The name of a header field is malformed.");
    for (const char c : field.value)
        if (!allowed_in_value(c))
            return invalid_request("A header field contains a control character.");
    return field;
}

}  // namespace parley::http
