#include "api/event_log_stream.hpp"

#include "chat/event_view.hpp"
#include "fields/write.hpp"

#include <memory>
#include <string>
#include <utility>

namespace parley::api {
namespace {

// The size of a batch. An event takes about 400 bytes.
constexpr std::size_t events_of_a_batch = 32;
constexpr std::size_t bytes_of_a_batch = std::size_t{32} * 1024;

http::Frame frame_of(const EventView& event, bool is_first)
{
    std::string text = is_first ? "retry: 1000\n" : "";
    text.append("id: ").append(std::to_string(event.sequence_number));
    text.append("\nevent: ").append(fields::name_of(event.type));
    text.append("\ndata: ").append(fields::write(event)).append("\n\n");
    return std::make_shared<const std::string>(std::move(text));
}

// Sends the head at once: the next event may take long. A client that did not say where it begins
// gets the number as the id of the stream, so that it can resume before the first event.
http::Frame first_frame(const LogPosition& position)
{
    static const http::Frame comment = std::make_shared<const std::string>(": ping\n\n");
    if (!position.is_latest) return comment;
    return std::make_shared<const std::string>("id: " + std::to_string(position.after) + "\n\n");
}

// During its lifetime, an early end of the stream also stops the follower.
class Following {
public:
    Following(http::EventStream& events, store::EventSignal& signal, Owner owner)
        : events_(events), signal_(signal), follower_(signal.follow(std::move(owner)))
    {
        events.when_ended([this] { signal_.stop(follower_); });
    }
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;
    ~Following() { events_.when_ended(nullptr); }

    // False if no more events will come.
    Task<bool> wait() { return signal_.wait(follower_); }

private:
    http::EventStream& events_;
    store::EventSignal& signal_;
    const store::EventSignal::FollowerRef follower_;
};

// False once the stream has ended.
Task<Result<bool>> send_batch(const Stream& stream, http::EventStream& events,
                              const store::EventPage& page, const Owner& owner, bool& is_first)
{
    const auto charge = stream.charge(bytes_of_a_batch);
    if (!charge) co_return charge.error();
    for (const store::Event& event : page.events) {
        auto frame = frame_of(chat::view(owner, event), std::exchange(is_first, false));
        if (!co_await events.send(std::move(frame))) co_return false;
    }
    co_return true;
}

}  // namespace

Task<Result<>> send_log(Stream stream, http::EventStream& events, store::EventLog& log,
                        LogPosition position)
{
    Following following(events, log.signal(), position.owner);
    if (!co_await events.send(first_frame(position))) co_return Result<>();
    for (bool is_first = true;;) {
        const auto page =
            co_await log.read(position.owner, position.after, position.types, events_of_a_batch);
        if (!page) co_return page.error();
        // Events expired before the client read them. The stream ends; the client gets the error
        // when it reconnects.
        if (position.after < page->oldest - 1) break;
        const auto sent = co_await send_batch(stream, events, *page, position.owner, is_first);
        if (!sent) co_return sent.error();
        if (!*sent) co_return Result<>();
        position.after = page->read_to;
        if (position.after == page->latest && !co_await following.wait()) break;
    }
    events.cut();
    co_return Result<>();
}

}  // namespace parley::api
