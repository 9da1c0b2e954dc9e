#include "api/cached.hpp"

#include "api/tagged.hpp"
#include "base/sha256.hpp"

#include <sodium.h>

#include <array>
#include <utility>

namespace parley::api {
namespace {

std::string tag_of(std::string_view text)
{
    const Sha256 hash = sha256(text);
    std::array<char, 2 * std::tuple_size_v<Sha256> + 1> hex{};
    sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
    return "\"" + std::string(hex.data()) + "\"";
}

bool has_it(const http::RequestHead& head, std::string_view tag)
{
    // A proxy that compresses makes a weak tag of ours, which is as good here.
    const std::string weak = "W/" + std::string(tag);
    for (const http::Field& field : head.fields)
        if (http::same_name(field.name, "if-none-match") &&
            (names_tag(field.value, tag) || names_tag(field.value, weak)))
            return true;
    return false;
}

}  // namespace

Cacheable::Cacheable(std::string type, std::string text)
    : media_type(std::move(type)), body(std::move(text)), tag(tag_of(body))
{
}

http::Response cached_response(const Cacheable& what, const http::RequestHead& head,
                               std::string_view cache_control)
{
    http::Response response;
    response.fields.add("ETag", what.tag);
    response.fields.add("Cache-Control", cache_control);
    if (has_it(head, what.tag)) {
        response.status = 304;
        return response;
    }
    response.fields.add("Content-Type", what.media_type);
    response.body = what.body;
    return response;
}

}  // namespace parley::api
