// Sends an event stream over a connection: one write per frame while the client keeps up, several
// frames in one write once the socket is backed up, a ping while idle. The frames are shared, never
// copied. A stream that is cut ends between two frames, unless its client has stopped reading
// altogether.
//
// Threads: of the connection's loop. One coroutine sends; offer() and cut() may be called by any
// code on that loop, also between.
#pragma once

#include "http/exchange.hpp"
#include "http/loop.hpp"
#include "http/server_state.hpp"
#include "http/stream.hpp"

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::http {

template <class Stream>
class EventWriter final : public EventStream {
public:
    // `head` is sent together with the first frame.
    EventWriter(Loop& loop, Stream& stream, const Limits& limits, std::string head, bool chunked);

    Task<bool> send(Frame frame) override;
    bool offer(Frame frame) override;
    void cut() override;
    bool started() const override { return started_; }
    std::uint64_t bytes() const override { return bytes_; }
    void when_ended(std::function<void()> callback) override;

    // Waits until all is sent, and ends the stream properly. False if it was cut.
    Task<bool> finish();

    bool has_ended() const { return ended_; }

    // The kernel has not accepted all bytes yet.
    bool is_writing() const { return writing_; }

private:
    // A frame in the queue, with the size line of the chunked coding.
    struct Part {
        Frame frame;
        std::array<char, 20> size_line{};
        std::size_t size_line_length = 0;  // 0: not chunked.

        std::string_view line_break() const { return size_line_length == 0 ? "" : "\r\n"; }
        std::size_t size() const { return size_line_length + frame->size() + line_break().size(); }
    };

    // Expires when the kernel accepted nothing for a while: time for a ping, or the client has
    // stopped reading.
    class Silence final : public Deadline {
    public:
        explicit Silence(EventWriter& writer) : writer_(writer) {}
        void start(std::chrono::milliseconds wait)
        {
            lasts_ = wait;
            arm(writer_.loop_.wheel(), wait);
        }
        std::chrono::milliseconds lasts() const { return lasts_; }

    private:
        void expired() override { writer_.hear_silence(); }
        EventWriter& writer_;
        std::chrono::milliseconds lasts_{0};
    };

    void enqueue(Part part);
    Part chunk(Frame frame) const;
    void write_what_fits();
    Task<> write_rest();
    void gather();
    void advance(std::size_t written);
    void drop_what_has_not_begun();
    void end();
    void end_at_once();
    Task<> wait_until_quiet();
    void tell_quiet();
    void hear_silence();

    Loop& loop_;
    Stream& stream_;
    const Limits& limits_;
    std::string head_;
    bool chunked_;
    bool started_ = false;
    bool ended_ = false;    // No more frames are accepted; one in progress is still sent.
    bool writing_ = false;  // A separate coroutine waits for the socket.
    std::chrono::milliseconds stalled_{0};  // How long the kernel has taken nothing that waits.
    std::deque<Part> queue_;
    std::uint64_t bytes_ = 0;  // The size of all frames but those that were dropped.
    std::size_t backlog_ = 0;  // Bytes of the frames behind the first one in the queue.
    std::size_t written_ = 0;  // Bytes of head and first part that the kernel has.
    std::vector<boost::asio::const_buffer> buffers_;
    std::function<void()> callback_;
    // Cancelled when the queue has emptied or the stream ended; created on the first wait for that,
    // since most clients keep up.
    std::optional<Timer> quiet_;
    Silence silence_{*this};
};

extern template class EventWriter<PlainStream>;
extern template class EventWriter<TlsStream>;

}  // namespace parley::http
