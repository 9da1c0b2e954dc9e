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
const std::string retry_line = "retry: 1000\n";  // In the first block of a stream.

http::Frame frame_of(const store::EventPage& page, const Owner& owner, bool is_first)
{
    std::string text = is_first ? retry_line : "";
    for (const store::Event& each : page.events) {
        const EventView event = chat::view(owner, each);
        text.append("id: ").append(std::to_string(event.sequence_number));
        text.append("\nevent: ").append(fields::name_of(event.type));
        text.append("\ndata: ").append(fields::write(event)).append("\n\n");
    }
    return std::make_shared<const std::string>(std::move(text));
}

// Sends the head at once: the next event may take long. A client that did not say where it begins
// gets the number as the id of the stream, so that it can resume before the first event.
http::Frame first_frame(const LogPosition& position)
{
    static const http::Frame comment = std::make_shared<const std::string>(": ping\n\n");
    if (!position.is_latest) return comment;
    return std::make_shared<const std::string>(retry_line +
                                               "id: " + std::to_string(position.after) + "\n\n");
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

// How far a batch has brought the client.
enum class Sent { some, everything, expired, ended };

// One of the streams of an owner reads at a time; it waits for its client without the turn.
Task<Result<store::EventPage>> read_next(store::EventLog& log, LogTurns& turns,
                                         const LogPosition& position)
{
    const auto turn = co_await turns.take(position.owner);
    co_return co_await log.read(position.owner, position.after, position.types, events_of_a_batch);
}

Task<Result<Sent>> send_next(const Stream& stream, http::EventStream& events, store::EventLog& log,
                             LogTurns& turns, LogPosition& position, bool& is_first)
{
    const auto charge = stream.charge(bytes_of_a_batch);
    if (!charge) co_return charge.error();
    const auto page = co_await read_next(log, turns, position);
    if (!page) co_return page.error();
    // The stream ends; the client gets the error when it reconnects.
    if (position.after < page->oldest - 1) co_return Sent::expired;
    if (!page->events.empty()) {
        auto frame = frame_of(*page, position.owner, std::exchange(is_first, false));
        if (!co_await events.send(std::move(frame))) co_return Sent::ended;
    }
    position.after = page->read_to;
    // The log of a deleted user ends before the position.
    co_return page->read_to >= page->latest ? Sent::everything : Sent::some;
}

}  // namespace

Task<Result<>> send_log(Stream stream, http::EventStream& events, store::EventLog& log,
                        LogTurns& turns, LogPosition position)
{
    Following following(events, log.signal(), position.owner);
    if (!co_await events.send(first_frame(position))) co_return Result<>();
    for (bool is_first = !position.is_latest;;) {
        const auto sent = co_await send_next(stream, events, log, turns, position, is_first);
        if (!sent) co_return sent.error();
        if (*sent == Sent::ended) co_return Result<>();
        if (*sent == Sent::expired) break;
        if (*sent == Sent::everything && !co_await following.wait()) break;
    }
    events.cut();
    co_return Result<>();
}

}  // namespace parley::api
