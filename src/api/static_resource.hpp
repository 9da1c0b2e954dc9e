// Content that is the same for all clients until the program changes: encoded and compressed once,
// sent with an entity tag, and not sent again to a client that has it (RFC 9110, If-None-Match).
#pragma once

#include "http/message.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace parley::api {

// One encoding. Each has its own entity tag, quotes included.
struct CacheableForm {
    explicit CacheableForm(std::string text);

    bool is_empty() const { return body->empty(); }

    std::shared_ptr<const std::string> body;  // Shared by all responses that send it.
    std::string tag;
};

struct StaticResource {
    StaticResource(std::string type, std::string text);

    // Content that exists only in compressed form.
    static StaticResource already_compressed(std::string type, std::string packed);

    // Content whose encodings were all made by the build.
    static StaticResource made_before(std::string type, std::string text, std::string gzipped,
                                      std::string brotli);

    std::string media_type;
    CacheableForm plain;
    CacheableForm gzipped;
    CacheableForm brotli{""};  // Empty if there is none.

private:
    StaticResource(std::string type, std::string text, std::string packed);
};

// Whether If-None-Match names this entity tag.
bool client_has(const http::RequestHead& head, std::string_view tag);

inline constexpr std::string_view kept_for_minutes = "public, max-age=300";

// 200, or 304 for a client that has the content; compressed for clients that prefer it. `varies_by`
// names the header fields that selected the content.
http::Response cached_response(const StaticResource& what, const http::RequestHead& head,
                               std::string_view cache_control = kept_for_minutes,
                               std::string_view varies_by = "Accept-Encoding");

}  // namespace parley::api
