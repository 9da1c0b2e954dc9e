// Which pages of other origins may use this server from a browser. None by default; an origin that
// is not listed gets no CORS fields, so the browser hides the response from the page. The server
// does not use cookies, so credentials are never allowed.
#pragma once

#include "base/error.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace parley::api {

// Fails with a message if an entry is neither an exact origin ("https://chat.example.org") nor "*",
// which means all origins.
Result<> check_origins(const std::vector<std::string>& origins);

class Cors {
public:
    // Throws std::invalid_argument for origins that check_origins() would have refused.
    explicit Cors(std::vector<std::string> origins);

    // Adds the CORS fields for the origin of the request. `allow` lists the methods of the path.
    void add_fields(const http::RequestHead& head, http::Fields& fields) const;
    void add_preflight_fields(const http::RequestHead& head, std::string_view allow,
                              http::Fields& fields) const;

    // Whether this is a preflight request from an allowed origin.
    bool allows_preflight(const http::RequestHead& head) const;

private:
    bool is_allowed(const http::RequestHead& head) const;

    std::vector<std::string> origins_;
    bool all_ = false;
};

}  // namespace parley::api
