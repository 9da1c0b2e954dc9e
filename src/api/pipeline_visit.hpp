// The state of a request between two steps of the pipeline. All decisions depend on the matched row
// or the decoded path, never on the client's spelling of the path.
#pragma once

#include "api/pipeline.hpp"
#include "tracing/tracing.hpp"

#include <string>
#include <string_view>

namespace parley::api {

struct Pipeline::Visit {
    Call call;
    SteadyPoint begun;
    tracing::OpenSpan& span;
    const Row* row = nullptr;  // Null for OPTIONS and if no row matches.
    Area area = Area::outside;
    std::string_view token = {};  // In the head; empty until it was read.
    std::string_view allow = {};  // The methods of the path, if it is known.
    ErrorShape errors = ErrorShape::problem;
    bool is_free = false;  // Not counted, although it is under /v1.
    http::Response response = {};

    const http::RequestHead& head() const { return call.exchange.request(); }
    const std::string& id() const { return call.common_headers.request_id(); }
    bool takes_body() const { return row && row->route.request_schema; }
    bool must_not_have_body() const
    {
        return row && !row->route.request_schema && row->route.method == "POST" &&
               (head().chunked || head().content_length.value_or(0) > 0);
    }
    bool is_versioned() const { return area != Area::outside; }
    bool needs_token() const
    {
        if (!row) return is_versioned() && head().method != "OPTIONS";
        return row->route.access.has_value() && !is_signed();
    }
    // The hook that the path names.
    std::string hook() const
    {
        for (const fields::Parameter& each : call.path)
            if (each.name == "hook") return each.value;
        return {};
    }
    bool is_signed() const { return row && row->route.is_signed(); }
    bool is_counted() const
    {
        return (is_versioned() || is_signed()) && (!call.caller || call.caller->counted);
    }
    // Requests with a token without a user count as General, except those of class Auth.
    bool counts_as_its_row() const
    {
        return row && call.caller &&
               (!call.caller->user.empty() || row->route.limit == limits::Class::auth);
    }
    limits::Class limit_class() const
    {
        return counts_as_its_row() ? row->route.limit : limits::Class::general;
    }
    bool may_replay() const
    {
        return counts_as_its_row() && row->route.replays && head().field("idempotency-key");
    }
    bool streams() const { return call.stream && call.stream->started(); }
    bool during_shutdown() const { return row && row->route.during_shutdown; }
    bool needs_room() const { return row && row->route.needs_room; }
    std::uint64_t bytes() const
    {
        return streams() ? call.stream->bytes() : response.content().size();
    }
};

}  // namespace parley::api
