#include "api/common_headers.hpp"

#include <utility>

namespace parley::api {
namespace {

// Inserts `prefix` after the `opening` of a field's value, if a path of this server follows.
void lead_through(std::string_view prefix, std::string_view name, std::string_view opening,
                  http::Fields& fields)
{
    const auto value = fields.get(name);
    if (!value || !value->starts_with(opening) || !value->substr(opening.size()).starts_with('/'))
        return;
    std::string changed(opening);
    changed.append(prefix).append(value->substr(opening.size()));
    fields.replace(name, changed);
}

}  // namespace

CommonHeaders::CommonHeaders(const Cors& cors, const http::RequestHead& head,
                             const http::Peer& peer, std::string request_id,
                             std::string_view public_path)
    : cors_(cors),
      head_(head),
      peer_(peer),
      request_id_(std::move(request_id)),
      public_path_(public_path)
{
}

void CommonHeaders::add_run(std::string_view id, bool replayed)
{
    run_fields_.add("X-Run-Id", id);
    if (replayed) run_fields_.add("Idempotency-Replayed", "true");
}

void CommonHeaders::wrap(http::Response& response) const
{
    http::Fields& fields = response.fields;
    fields.add("X-Request-Id", request_id_);
    fields.add("X-Content-Type-Options", "nosniff");
    // By default, responses are for one caller and one moment; an endpoint can set another value.
    if (!fields.get("Cache-Control")) fields.add("Cache-Control", "no-store");
    if (peer_.secure) fields.add("Strict-Transport-Security", "max-age=31536000");
    if (!public_path_.empty()) {
        lead_through(public_path_, "Location", "", fields);
        lead_through(public_path_, "Link", "<", fields);
    }
    cors_.add_fields(head_, fields);
    fields.add_all(fields_);
    if (response.status != 401 && response.status != 403) fields.add_all(run_fields_);
}

}  // namespace parley::api
