#include "http/event_writer.hpp"

#include <boost/asio/detached.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace parley::http {
namespace {

constexpr std::size_t max_parts_per_write = 64;
constexpr std::size_t buffers_of_first_frame = 4;  // Head, size, frame, line break.

const Frame& ping()
{
    static const Frame frame = std::make_shared<const std::string>(": ping\n\n");
    return frame;
}

}  // namespace

template <class Stream>
EventWriter<Stream>::EventWriter(Loop& loop, Stream& stream, const Limits& limits, std::string head,
                                 bool chunked)
    : loop_(loop), stream_(stream), limits_(limits), head_(std::move(head)), chunked_(chunked)
{
    buffers_.reserve(buffers_of_first_frame);
}

template <class Stream>
Task<> EventWriter<Stream>::wait_until_quiet()
{
    if (!quiet_) quiet_.emplace(loop_.executor(), SteadyPoint::max());
    ErrorCode cancelled;
    co_await quiet_->async_wait(boost::asio::redirect_error(awaiting, cancelled));
}

template <class Stream>
void EventWriter<Stream>::tell_quiet()
{
    if (quiet_) quiet_->cancel();
}

template <class Stream>
Task<bool> EventWriter<Stream>::send(Frame frame)
{
    if (ended_) co_return false;
    enqueue(chunk(std::move(frame)));
    while (!queue_.empty() && !ended_) co_await wait_until_quiet();
    co_return !ended_;
}

template <class Stream>
bool EventWriter<Stream>::offer(Frame frame)
{
    if (ended_) return false;
    if (!queue_.empty() && backlog_ + frame->size() > limits_.max_stream_backlog) {
        cut();
        return false;
    }
    enqueue(chunk(std::move(frame)));
    return !ended_;
}

// A write in progress is not cancelled: the client would get an incomplete frame.
template <class Stream>
void EventWriter<Stream>::cut()
{
    end();
    if (writing_)
        silence_.start(limits_.write_wait);  // Also limits a client that reads a byte at
                                             // a time.
}

// The client does not read, so the current frame cannot be completed.
template <class Stream>
void EventWriter<Stream>::end_at_once()
{
    end();
    ErrorCode ignored;
    stream_.socket().cancel(ignored);
}

template <class Stream>
auto EventWriter<Stream>::chunk(Frame frame) const -> Part
{
    Part part{.frame = std::move(frame)};
    if (!chunked_) return part;
    char* begin = part.size_line.data();
    char* end = std::to_chars(begin, begin + 16, part.frame->size(), 16).ptr;
    *end++ = '\r';
    *end++ = '\n';
    part.size_line_length = static_cast<std::size_t>(end - begin);
    return part;
}

template <class Stream>
void EventWriter<Stream>::enqueue(Part part)
{
    if (part.frame->empty()) return;  // An empty chunk would end the stream.
    started_ = true;
    bytes_ += part.frame->size();
    if (!queue_.empty()) backlog_ += part.frame->size();
    queue_.push_back(std::move(part));
    if (!silence_.armed()) silence_.start(limits_.ping_after);
    if (writing_) return;
    write_what_fits();
    if (queue_.empty() || ended_) return;
    writing_ = true;
    stalled_ = {};
    silence_.start(limits_.ping_after);
    boost::asio::co_spawn(loop_.executor(), write_rest(), boost::asio::detached);
}

template <class Stream>
void EventWriter<Stream>::write_what_fits()
{
    gather();
    ErrorCode error;
    const std::size_t written = stream_.try_write(buffers_, error);
    if (error && error != boost::asio::error::would_block)
        end();
    else
        advance(written);
}

// Waits for the socket until the queue is empty. Runs beside the sender, so that offer() does not
// wait.
template <class Stream>
Task<> EventWriter<Stream>::write_rest()
{
    while (!queue_.empty()) {
        gather();
        ErrorCode error;
        const std::size_t written = co_await stream_.write_some(buffers_, error);
        if (error) {
            end();
            break;
        }
        advance(written);
        if (ended_) drop_what_has_not_begun();
    }
    writing_ = false;
    if (ended_) silence_.disarm();
    tell_quiet();
}

template <class Stream>
void EventWriter<Stream>::drop_what_has_not_begun()
{
    const bool has_begun = written_ != 0 || !head_.empty();
    while (queue_.size() > (has_begun ? 1 : 0)) {
        bytes_ -= queue_.back().frame->size();
        queue_.pop_back();
    }
    backlog_ = 0;
}

template <class Stream>
void EventWriter<Stream>::gather()
{
    buffers_.clear();
    if (!head_.empty()) buffers_.emplace_back(head_.data(), head_.size());
    std::size_t parts = 0;
    for (const Part& part : queue_) {
        if (++parts > max_parts_per_write) break;
        buffers_.emplace_back(part.size_line.data(), part.size_line_length);
        buffers_.emplace_back(part.frame->data(), part.frame->size());
        buffers_.emplace_back(part.line_break().data(), part.line_break().size());
    }
    std::size_t skip = written_;
    std::size_t first = 0;
    while (first < buffers_.size() && skip >= buffers_[first].size())
        skip -= buffers_[first++].size();
    buffers_.erase(buffers_.begin(), buffers_.begin() + static_cast<std::ptrdiff_t>(first));
    if (!buffers_.empty()) buffers_.front() += skip;
}

template <class Stream>
void EventWriter<Stream>::advance(std::size_t written)
{
    if (written != 0 && !ended_) {
        stalled_ = {};
        silence_.start(limits_.ping_after);
    }
    written_ += written;
    if (!head_.empty() && written_ >= head_.size()) {
        written_ -= head_.size();
        head_.clear();
    }
    while (head_.empty() && !queue_.empty() && written_ >= queue_.front().size()) {
        written_ -= queue_.front().size();
        queue_.pop_front();
        if (!queue_.empty()) backlog_ -= queue_.front().frame->size();
    }
}

template <class Stream>
void EventWriter<Stream>::end()
{
    ended_ = true;
    if (!writing_) silence_.disarm();
    tell_quiet();
    if (auto callback = std::exchange(callback_, nullptr)) callback();
}

template <class Stream>
void EventWriter<Stream>::when_ended(std::function<void()> callback)
{
    if (ended_ && callback) return callback();
    callback_ = std::move(callback);
}

template <class Stream>
void EventWriter<Stream>::hear_silence()
{
    if (ended_) return end_at_once();
    if (queue_.empty()) return enqueue(chunk(ping()));
    stalled_ += silence_.lasts();
    if (stalled_ >= limits_.write_wait) return end_at_once();
    silence_.start(std::min(limits_.ping_after, limits_.write_wait - stalled_));
}

template <class Stream>
Task<bool> EventWriter<Stream>::finish()
{
    static const Frame last_chunk = std::make_shared<const std::string>("0\r\n\r\n");
    if (!ended_ && chunked_) enqueue(Part{.frame = last_chunk});
    while (writing_) co_await wait_until_quiet();
    silence_.disarm();
    co_return !ended_;
}

template class EventWriter<PlainStream>;
template class EventWriter<TlsStream>;

}  // namespace parley::http
