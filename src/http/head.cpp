// Parses a head that passed the framing gate: request line, fields, and the framing of the body.
#include "http/framing.hpp"

#include <charconv>
#include <utility>

namespace parley::http {
namespace {

// uri-host [ ":" port ] of RFC 9110 §7.2: a name, an IPv4 address or an IPv6 address in brackets.
bool is_host(std::string_view host)
{
    std::string_view port;
    if (host.starts_with('[')) {
        const std::size_t close = host.find(']');
        if (close == host.npos || close < 3) return false;
        if (host.substr(1, close - 1).find_first_not_of("0123456789abcdefABCDEF:.") != host.npos)
            return false;
        port = host.substr(close + 1);
    } else {
        const std::size_t colon = host.find(':');
        const std::string_view name = host.substr(0, colon);
        constexpr std::string_view allowed =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%";
        if (name.empty() || name.find_first_not_of(allowed) != name.npos) return false;
        port = colon == host.npos ? std::string_view() : host.substr(colon);
    }
    if (port.empty()) return true;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(port.data() + 1, port.data() + port.size(), number);
    return port.front() == ':' && error == std::errc() && end == port.data() + port.size() &&
           number <= 65535;
}

bool allowed_in_target(char c)
{
    return c > 0x20 && c < 0x7f && std::string_view("\"<>\\#").find(c) == std::string_view::npos;
}

Result<> parse_target(std::string_view target, RequestHead& out)
{
    if (target.size() > max_target_size)
        return Error{Errc::uri_too_long, "The request target exceeds 8 KiB."};
    for (const char c : target)
        if (!allowed_in_target(c))
            return invalid_request("The request target contains a forbidden character.");
    if (out.method == "CONNECT") {
        if (!is_host(target))
            return invalid_request("The target of CONNECT must be host and port.");
        out.path = target;
        return {};
    }
    if (target == "*") {
        if (out.method != "OPTIONS") return invalid_request("Only OPTIONS may have the target *.");
        out.path = target;
        return {};
    }
    for (const std::string_view scheme : {"http://", "https://"}) {  // absolute-form, as to a proxy
        if (!same_name(target.substr(0, scheme.size()), scheme)) continue;
        target.remove_prefix(scheme.size());
        const std::size_t end = target.find_first_of("/?");
        if (!is_host(target.substr(0, end)))
            return invalid_request("The host in the target is malformed.");
        target = end == target.npos ? std::string_view("/") : target.substr(end);
        break;
    }
    const std::size_t question = target.find('?');
    out.path = target.substr(0, question);
    out.query = question == target.npos ? std::string_view() : target.substr(question + 1);
    if (out.path.empty() && question == 0) out.path = "/";
    if (!out.path.starts_with('/'))
        return invalid_request("The request target must begin with a slash.");
    return {};
}

Result<> parse_request_line(std::string_view line, RequestHead& out)
{
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == line.npos || first == last)
        return invalid_request("The request line must be: method, target, HTTP/1.1.");
    out.method = line.substr(0, first);
    if (!is_token(out.method) || out.method.size() > max_method_size)
        return invalid_request("The method is malformed.");
    const std::string_view version = line.substr(last + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return invalid_request("Only HTTP/1.1 and HTTP/1.0 are supported.");
    out.http_1_0 = version == "HTTP/1.0";
    return parse_target(line.substr(first + 1, last - first - 1), out);
}

Result<> note_content_length(std::string_view value, RequestHead& out)
{
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    const bool only_digits = value.find_first_not_of("0123456789") == value.npos;
    if (value.empty() || !only_digits || error != std::errc() || end != value.data() + value.size())
        return invalid_request("Content-Length must be a number.");
    if (value.size() > 1 && value.front() == '0')
        return invalid_request("Content-Length begins with a zero.");
    if (out.content_length) return invalid_request("Content-Length is given twice.");
    out.content_length = length;
    return {};
}

Result<> note_transfer_encoding(std::string_view value, RequestHead& out)
{
    if (out.http_1_0) return invalid_request("HTTP/1.0 has no Transfer-Encoding.");
    if (out.chunked) return invalid_request("Transfer-Encoding is given twice.");
    if (!same_name(value, "chunked")) {
        const bool readable =
            value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-, ") ==
                value.npos &&
            !value.empty() && !value.starts_with(',') && !value.ends_with(',');
        if (!readable) return invalid_request("Transfer-Encoding is malformed.");
        return Error{Errc::not_implemented, "The only supported transfer coding is chunked."};
    }
    out.chunked = true;
    return {};
}

Result<> note_connection(std::string_view value, RequestHead& out)
{
    while (!value.empty()) {
        const std::size_t comma = value.find(',');
        std::string_view option = value.substr(0, comma);
        while (option.starts_with(' ') || option.starts_with('\t')) option.remove_prefix(1);
        while (option.ends_with(' ') || option.ends_with('\t')) option.remove_suffix(1);
        if (!option.empty() && !is_token(option))
            return invalid_request("The Connection field is malformed.");
        if (same_name(option, "close")) out.keep_alive = false;
        if (same_name(option, "keep-alive") && out.http_1_0) out.keep_alive = true;
        value = comma == value.npos ? std::string_view() : value.substr(comma + 1);
    }
    return {};
}

// Evaluates a field that affects the framing of the request; most fields do not.
Result<> note_field(const Field& field, RequestHead& out)
{
    const auto is = [&](std::string_view name) { return same_name(field.name, name); };
    switch (field.name.size()) {
        case 4:
            if (is("host") && !is_host(field.value))
                return invalid_request("The Host field is malformed.");
            break;
        case 6:
            if (is("expect") && !out.http_1_0) {
                if (!same_name(field.value, "100-continue"))
                    return Error{Errc::expectation_failed,
                                 "The only supported expectation is 100-continue."};
                out.expects_continue = true;
            }
            break;
        case 10:
            if (is("connection")) return note_connection(field.value, out);
            break;
        case 12:
            if (is("content-type") && out.count("content-type") > 1)
                return invalid_request("Content-Type is given twice.");
            break;
        case 14:
            if (is("content-length")) return note_content_length(field.value, out);
            // A gateway that maps underscores to hyphens would frame this request in another way.
            if (is("content_length"))
                return invalid_request(
                    "The field Content_Length is not allowed; write Content-Length.");
            break;
        case 17:
            if (is("transfer-encoding")) return note_transfer_encoding(field.value, out);
            if (is("transfer_encoding"))
                return invalid_request(
                    "The field Transfer_Encoding is not allowed; write Transfer-Encoding.");
            break;
        default:
            break;
    }
    return {};
}

void clear(RequestHead& head)
{
    auto fields = std::move(head.fields);  // Reuses its memory for the next request.
    fields.clear();
    head = RequestHead();
    head.fields = std::move(fields);
}

}  // namespace

Result<> parse_head(std::string_view head, RequestHead& out)
{
    clear(out);
    if (head.starts_with("\r\n")) head.remove_prefix(2);
    bool in_request_line = true;
    while (!head.empty()) {
        const std::size_t end = head.find("\r\n");
        if (end == head.npos) return invalid_request("The head is not finished.");
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(end + 2);
        if (in_request_line) {
            if (auto read = parse_request_line(line, out); !read) return read;
            out.keep_alive = !out.http_1_0;
            in_request_line = false;
        } else if (!line.empty()) {
            auto field = parse_field(line);
            if (!field) return field.error();
            out.fields.push_back(*field);
            if (auto noted = note_field(*field, out); !noted) return noted;
        } else if (!head.empty()) {
            return invalid_request("The head is followed by something else.");
        }
    }
    if (out.chunked && out.content_length)
        return invalid_request("Transfer-Encoding and Content-Length contradict each other.");
    if (out.count("host") != 1) return invalid_request("There must be exactly one Host field.");
    return {};
}

RequestHead known_part(std::string_view received)
{
    RequestHead known;
    if (received.starts_with("\r\n")) received.remove_prefix(2);
    const std::size_t end_of_head = received.find("\r\n\r\n");
    received = received.substr(0, end_of_head == received.npos ? end_of_head : end_of_head + 2);
    bool in_request_line = true;
    // Ignores an unfinished line.
    for (auto end = received.find("\r\n"); end != received.npos; end = received.find("\r\n")) {
        const std::string_view line = received.substr(0, end);
        received.remove_prefix(end + 2);
        if (std::exchange(in_request_line, false)) {
            if (!parse_request_line(line, known)) known = {};
        } else if (const auto field = parse_field(line)) {
            if (known.fields.size() < max_field_count) known.fields.push_back(*field);
        }
    }
    return known;
}

}  // namespace parley::http
