// Parts of the address under which clients find this server (server.public_url).
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace parley::api {

inline std::string without_slash_at_end(std::string url)
{
    while (url.ends_with('/')) url.pop_back();
    return url;
}

// "https://example.org/chat" -> "/chat"
inline std::string path_of(std::string_view url)
{
    const std::size_t host = url.find("://");
    const std::size_t path = host == url.npos ? url.npos : url.find('/', host + 3);
    return path == url.npos ? std::string() : std::string(url.substr(path));
}

// "https://example.org:8443/chat" -> "example.org:8443"
inline std::string host_of(std::string_view url)
{
    const std::size_t begin = url.find("://");
    if (begin == url.npos) return {};
    const std::string_view rest = url.substr(begin + 3);
    return std::string(rest.substr(0, rest.find_first_of("/?#")));
}

}  // namespace parley::api
