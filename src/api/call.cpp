#include "api/call.hpp"

#include <utility>

namespace parley::api {

Task<http::EventStream*> Stream::open(std::string_view media_type)
{
    http::EventStream* events = open_unwatched(media_type);
    if (events && call_->caller)
        call_->stream_entry = co_await rights().watch([events] { events->cut(); });
    co_return events;
}

http::EventStream* Stream::open_unwatched(std::string_view media_type)
{
    http::Response head{.status = 200, .fields = {}, .body = {}};
    head.fields.add("Content-Type", media_type);
    head.fields.add("Cache-Control", "no-store, no-transform");
    head.fields.add("X-Accel-Buffering", "no");  // Otherwise nginx would buffer the events.
    if (call_->exchange.request().method == "HEAD") {
        call_->stream_head = std::move(head);
        return nullptr;
    }
    call_->common_headers.wrap(head);
    http::EventStream& events = call_->exchange.stream(std::move(head));
    call_->stream = &events;
    return &events;
}

}  // namespace parley::api
