#include "api/envelope.hpp"

#include <utility>

namespace parley::api {

Envelope::Envelope(const Cors& cors, const http::RequestHead& head, const http::Peer& peer,
                   std::string request_id)
    : cors_(cors), head_(head), peer_(peer), request_id_(std::move(request_id))
{
}

void Envelope::wrap(http::Response& response) const
{
    http::Fields& fields = response.fields;
    fields.add("X-Request-Id", request_id_);
    fields.add("X-Content-Type-Options", "nosniff");
    // Answers belong to one caller and one moment; an endpoint that knows better says so itself.
    if (!fields.get("Cache-Control")) fields.add("Cache-Control", "no-store");
    if (peer_.secure) fields.add("Strict-Transport-Security", "max-age=31536000");
    cors_.add_fields(head_, fields);
    fields.add_all(fields_);
}

}  // namespace parley::api
