// What every response carries, whatever it says: the id of its request, the rules for caches and
// browsers, and what the asking page's origin is entitled to.
#pragma once

#include "api/cors.hpp"
#include "http/exchange.hpp"

#include <string>
#include <string_view>

namespace parley::api {

class CommonHeaders {
public:
    // The head and the peer must outlive the envelope. `public_path` is what a proxy adds before
    // our paths; Location and Link lead through it.
    CommonHeaders(const Cors& cors, const http::RequestHead& head, const http::Peer& peer,
                  std::string request_id, std::string_view public_path = {});

    const std::string& request_id() const { return request_id_; }

    // For the response, whatever it will be: what is known before it is.
    void add(std::string_view name, std::string_view value) { fields_.add(name, value); }

    void wrap(http::Response& response) const;

private:
    const Cors& cors_;
    const http::RequestHead& head_;
    const http::Peer& peer_;
    std::string request_id_;
    std::string_view public_path_;
    http::Fields fields_;
};

}  // namespace parley::api
