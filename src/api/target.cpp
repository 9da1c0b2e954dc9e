#include "api/target.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace parley::api {
namespace {

// -1 if it is not a hexadecimal digit.
int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

Result<std::string> decode_text(std::string_view text, Plus plus, const char* part)
{
    auto decoded = percent_decode(text, plus);
    if (!decoded)
        return invalid_request(std::string("The ") + part + " contains a malformed escape.");
    if (!utf8::valid(*decoded))
        return invalid_request(std::string("The ") + part + " is not UTF-8.");
    return std::move(*decoded);
}

// Takes the first segment off a path, still encoded.
std::string_view take_segment(std::string_view& path)
{
    if (!path.empty()) path.remove_prefix(1);  // The slash.
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return segment;
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text, Plus plus)
{
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && plus == Plus::space) {
            decoded += ' ';
        } else if (text[i] != '%') {
            decoded += text[i];
        } else {
            if (text.size() - i < 3) return std::nullopt;
            const int high = hex_value(text[i + 1]);
            const int low = hex_value(text[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            decoded += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    return decoded;
}

std::string percent_encode(std::string_view text)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        if (is_unreserved(c)) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += {'%', digits[byte >> 4U], digits[byte & 15U]};
        }
    }
    return encoded;
}

Result<std::vector<std::string>> path_segments(std::string_view path, std::size_t most)
{
    std::vector<std::string> segments;
    while (!path.empty() && segments.size() <= most) {
        auto segment = decode_text(take_segment(path), Plus::itself, "path");
        if (!segment) return segment.error();
        segments.push_back(std::move(*segment));
    }
    return segments;
}

Area area_of(std::string_view path)
{
    if (!path.starts_with('/') || percent_decode(take_segment(path), Plus::itself) != "v1")
        return Area::outside;
    return percent_decode(take_segment(path), Plus::itself) == "api" ? Area::api : Area::openai;
}

Result<std::vector<fields::Parameter>> query_parameters(std::string_view query)
{
    std::vector<fields::Parameter> parameters;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (pair.empty()) continue;
        if (parameters.size() == max_query_parameters)
            return invalid_request("The query has more than 100 parameters.");

        const std::size_t equals = std::min(pair.find('='), pair.size());
        auto name = decode_text(pair.substr(0, equals), Plus::space, "query");
        if (!name) return name.error();
        const std::size_t value_start = std::min(equals + 1, pair.size());
        auto value = decode_text(pair.substr(value_start), Plus::space, "query");
        if (!value) return value.error();
        parameters.push_back({std::move(*name), std::move(*value)});
    }
    return parameters;
}

}  // namespace parley::api
