#include "api/response_stream.hpp"

#include "api/response_events.hpp"
#include "api/response_view.hpp"
#include "chat/history.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parley::api {
namespace {

// The end of a response has its text once in each of four events, and once more while they are
// made. Short texts are not worth an account.
constexpr std::size_t copies_of_text = 5;
constexpr std::size_t short_text = std::size_t{16} * 1024;

// The events of a stored response may come in one batch.
constexpr std::size_t pieces_at_once = 1000;

Error no_such_event()
{
    return validation_failed({{.where = "starting_after",
                               .code = "out_of_range",
                               .detail = "the response has no event of this number",
                               .place = Fault::Location::parameter}});
}

Error events_are_gone()
{
    return {Errc::events_expired,
            "The events of this response are no longer stored; read the response itself."};
}

// While this lives, the end of a stream is told.
class EndWatch {
public:
    EndWatch(http::EventStream& stream, std::function<void()> callback) : stream_(stream)
    {
        stream.when_ended(std::move(callback));
    }
    EndWatch(const EndWatch&) = delete;
    EndWatch& operator=(const EndWatch&) = delete;
    ~EndWatch() { stream_.when_ended(nullptr); }

private:
    http::EventStream& stream_;
};

class Sender {
public:
    Sender(Stream stream, chat::RunHandle run, const engine::Models& models, std::int64_t seen)
        : stream_(stream),
          run_(std::move(run)),
          models_(models),
          events_(created_response(*run_.whole()), form_of(*run_.whole(), models), seen)
    {
    }

    Task<Result<ResponseAnswer>> send()
    {
        const std::int64_t skipped = events_.run_events_seen(run_.whole()->run.last_number);
        events_.skip_run_events(skipped);
        chat::EventReader reader =
            run_.read(skipped, [this](std::size_t bytes) { return stream_.charge(bytes); });
        if (co_await reader.is_ahead()) co_return no_such_event();
        out_ = co_await stream_.open();
        if (!out_) co_return ResponseAnswer();  // HEAD.
        const EndWatch watch(*out_, [this, &reader] {
            has_disconnected_ = true;
            reader.give_up();
        });
        auto sent = co_await pass_on(reader);
        if (!sent) co_return sent.error();
        co_return ResponseAnswer();
    }

private:
    Task<Result<>> pass_on(chat::EventReader& reader)
    {
        // Sends the head at once: the next event may take long.
        static const http::Frame comment = std::make_shared<const std::string>(": ping\n\n");
        for (;;) {
            if (!out_->started() && reader.is_up_to_date()) {
                if (events_.is_behind_reader()) co_return no_such_event();
                if (!co_await out_->send(comment)) co_return Result<>();
            }
            const auto batch = co_await reader.next();
            if (has_disconnected_) co_return Result<>();
            if (!batch) co_return batch.error();
            for (const RunEvent& event : batch->events)
                if (auto added = co_await add(event); !added) co_return added.error();
            if (!co_await send_pieces()) co_return Result<>();
            if (batch->was_suspended && !out_->started())
                co_return Error{Errc::shutting_down, "The server is shutting down."};
            if (batch->was_suspended) out_->cut();
            if (batch->was_suspended) co_return Result<>();
            if (batch->is_last) co_return co_await send_end();
        }
    }

    Task<Result<>> add(const RunEvent& event)
    {
        switch (event.type) {
            case RunEvent::Type::created:
                co_await send(events_.begin());
                break;
            case RunEvent::Type::delta:
                pieces_.push_back(*event.bytes);
                break;
            case RunEvent::Type::snapshot:
                if (run_.was_running()) co_return no_such_event();
                if (events_.reader_has_text()) co_return events_are_gone();
                co_return co_await send_whole_text(event.number);
            case RunEvent::Type::ended:
                break;
        }
        co_return Result<>();
    }

    Task<Result<>> send_whole_text(std::int64_t number)
    {
        const auto whole = run_.whole();
        const std::string text = whole->answer ? chat::text_of(whole->answer->parts) : "";
        if (!text.empty()) co_await send(events_.whole_text(text, number));
        co_return Result<>();
    }

    Task<bool> send_pieces()
    {
        const std::vector<std::string> pieces = std::exchange(pieces_, {});
        std::span<const std::string> rest = pieces;
        while (rest.size() > pieces_at_once) {
            if (!co_await send(events_.pieces(rest.first(pieces_at_once)))) co_return false;
            rest = rest.subspan(pieces_at_once);
            // Lets other tasks of this loop run: a fast client can take everything at once.
            co_await boost::asio::post(co_await boost::asio::this_coro::executor, awaiting);
            if (has_disconnected_) co_return false;
        }
        co_return co_await send(events_.pieces(rest));
    }

    // If there is no memory for them, the stream is cut, and the client reads the end later.
    Task<Result<>> send_end()
    {
        const ResponseView ended = ended_response(*run_.whole(), models_);
        std::size_t size = 0;
        for (const ResponseItem& item : ended.output) size += item.text().size();
        http::Charge charge;
        if (size > short_text) {
            auto paid = stream_.charge(copies_of_text * size);
            if (!paid) co_return paid.error();
            charge = std::move(*paid);
        }
        for (http::Frame& frame : events_.end(ended))
            if (!co_await send(std::move(frame))) co_return Result<>();
        if (!out_->started() && events_.is_behind_reader()) co_return no_such_event();
        // A client that has all events gets an empty stream.
        static const http::Frame comment = std::make_shared<const std::string>(": end\n\n");
        if (!out_->started()) co_await send(comment);
        co_return Result<>();
    }

    // False once the client has disconnected.
    Task<bool> send(http::Frame frame)
    {
        if (!frame) co_return !has_disconnected_;
        co_return co_await out_->send(std::move(frame));
    }

    Stream stream_;
    const chat::RunHandle run_;
    const engine::Models& models_;
    ResponseEvents events_;
    http::EventStream* out_ = nullptr;
    std::vector<std::string> pieces_ = {};
    bool has_disconnected_ = false;
};

}  // namespace

Task<Result<ResponseAnswer>> send_response(Stream stream, chat::RunHandle run,
                                           const engine::Models& models,
                                           std::optional<std::int64_t> starting_after)
{
    Sender sender(stream, std::move(run), models, starting_after.value_or(-1));
    co_return co_await sender.send();
}

}  // namespace parley::api
