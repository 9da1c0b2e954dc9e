#include "http/message.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <stdexcept>

namespace parley::http {
namespace {

constexpr std::size_t usual_fields = 256;

// std::string_view::find_first_of() would call a function for each character.
bool ends_a_line(char c) { return c == '\r' || c == '\n' || c == '\0'; }

}  // namespace

bool same_name(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b,
                              [](char x, char y) { return ascii::lower(x) == ascii::lower(y); });
}

std::optional<std::string_view> RequestHead::field(std::string_view name) const
{
    for (const Field& field : fields)
        if (same_name(field.name, name)) return field.value;
    return std::nullopt;
}

std::size_t RequestHead::count(std::string_view name) const
{
    return static_cast<std::size_t>(std::count_if(
        fields.begin(), fields.end(), [&](const Field& f) { return same_name(f.name, name); }));
}

void Fields::add(std::string_view name, std::string_view value)
{
    if (std::ranges::any_of(value, ends_a_line) || std::ranges::any_of(name, ends_a_line))
        throw std::logic_error("a line break in the value of a header field");
    // A second one is rarely the last. A single one stays small: open streams keep theirs.
    if (!lines_.empty() && lines_.capacity() < usual_fields) lines_.reserve(usual_fields);
    lines_.append(name).append(": ").append(value).append("\r\n");
}

std::optional<std::string_view> Fields::get(std::string_view name) const
{
    std::string_view rest = lines_;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find("\r\n"));
        const std::size_t colon = line.find(": ");
        if (same_name(line.substr(0, colon), name)) return line.substr(colon + 2);
        rest.remove_prefix(line.size() + 2);
    }
    return std::nullopt;
}

void Fields::replace(std::string_view name, std::string_view value)
{
    const auto old = get(name);
    if (!old) return add(name, value);
    Fields changed;
    changed.add(name, value);
    const auto begin = static_cast<std::size_t>(old->data() - lines_.data()) - name.size() - 2;
    lines_.replace(begin, name.size() + old->size() + 4, changed.lines_);
}

std::string_view reason_phrase(int status)
{
    switch (status) {
        case 100:
            return "Continue";
        case 200:
            return "OK";
        case 201:
            return "Created";
        case 202:
            return "Accepted";
        case 204:
            return "No Content";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 406:
            return "Not Acceptable";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 410:
            return "Gone";
        case 412:
            return "Precondition Failed";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 417:
            return "Expectation Failed";
        case 422:
            return "Unprocessable Content";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 501:
            return "Not Implemented";
        case 502:
            return "Bad Gateway";
        case 503:
            return "Service Unavailable";
        case 504:
            return "Gateway Timeout";
        default:
            return "";  // RFC 9112 §4: the phrase may be empty.
    }
}

}  // namespace parley::http
