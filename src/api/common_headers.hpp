// Header fields of every response: the id of its request, the rules for caches and browsers, and
// the CORS fields for the origin of the page.
#pragma once

#include "api/cors.hpp"
#include "http/exchange.hpp"

#include <string>
#include <string_view>

namespace parley::api {

class CommonHeaders {
public:
    // The head and the peer must outlive this object. `public_path` is the prefix that a proxy adds
    // to our paths; Location and Link include it.
    CommonHeaders(const Cors& cors, const http::RequestHead& head, const http::Peer& peer,
                  std::string request_id, std::string_view public_path = {});

    const std::string& request_id() const { return request_id_; }

    // Adds a field that is known before the response is.
    void add(std::string_view name, std::string_view value) { fields_.add(name, value); }

    // Names the run that the request started or read, unless the response is a 401 or 403: a caller
    // that loses its rights while it waits does not learn about the run.
    void add_run(std::string_view id, bool replayed = false);

    void wrap(http::Response& response) const;

private:
    const Cors& cors_;
    const http::RequestHead& head_;
    const http::Peer& peer_;
    std::string request_id_;
    std::string_view public_path_;
    http::Fields fields_;
    http::Fields run_fields_;
};

}  // namespace parley::api
