#include "api/call.hpp"

#include <utility>

namespace parley::api {

http::EventStream* Stream::open(http::Fields fields)
{
    http::Response head{.status = 200, .fields = std::move(fields), .body = {}};
    head.fields.add("Content-Type", "text/event-stream; charset=utf-8");
    head.fields.add("Cache-Control", "no-store, no-transform");
    head.fields.add("X-Accel-Buffering", "no");  // Otherwise nginx would buffer the events.
    if (call_->exchange.request().method == "HEAD") {
        call_->stream_head = std::move(head);
        return nullptr;
    }
    call_->common_headers.wrap(head);
    call_->stream = &call_->exchange.stream(std::move(head));
    return call_->stream;
}

}  // namespace parley::api
