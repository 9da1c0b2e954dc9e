#include "http/response_head.hpp"

#include <array>
#include <charconv>

namespace parley::http {
namespace {

void append_number(std::string& out, std::size_t number)
{
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

}  // namespace

void append_head(std::string& out, const Response& response, const std::string& date_line,
                 HeadOptions options)
{
    constexpr std::size_t usual_rest = 160;  // Status line and framing.
    out.reserve(out.size() + date_line.size() + response.fields.lines().size() + usual_rest);
    out += "HTTP/1.1 ";
    append_number(out, static_cast<std::size_t>(response.status));
    out += ' ';
    out += reason_phrase(response.status);
    out += "\r\n";
    out += date_line;
    out += response.fields.lines();
    if (options.framing == BodyFraming::chunked) {
        out += "Transfer-Encoding: chunked\r\n";
    } else if (options.framing == BodyFraming::sized && !forbids_body(response.status)) {
        out += "Content-Length: ";
        append_number(out, response.content().size());
        out += "\r\n";
    }
    if (!options.keep_alive)
        out += "Connection: close\r\n";
    else if (options.http_1_0)
        out += "Connection: keep-alive\r\n";
    out += "\r\n";
}

}  // namespace parley::http
