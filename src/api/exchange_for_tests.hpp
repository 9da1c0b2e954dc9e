// Replaces a connection in tests: a request made of strings, and a record of the response.
#pragma once

#include "base/block_on.hpp"
#include "base/task.hpp"
#include "http/exchange.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::api {

// Records the frames of a stream. The client disconnects after `patience` frames.
class RecordedStream final : public http::EventStream {
public:
    Task<bool> send(http::Frame frame) override { co_return offer(std::move(frame)); }
    bool offer(http::Frame frame) override
    {
        frames.push_back(*frame);
        if (frames.size() < patience) return true;
        if (auto callback = std::exchange(callback_, nullptr)) callback();
        return false;
    }
    void cut() override
    {
        was_cut = true;
        if (auto callback = std::exchange(callback_, nullptr)) callback();
    }
    bool started() const override { return !frames.empty(); }
    std::uint64_t bytes() const override
    {
        std::uint64_t sum = 0;
        for (const std::string& frame : frames) sum += frame.size();
        return sum;
    }
    void when_ended(std::function<void()> callback) override { callback_ = std::move(callback); }

    std::size_t patience = 1000;
    std::vector<std::string> frames;
    bool was_cut = false;

private:
    std::function<void()> callback_;
};

class RecordedExchange final : public http::Exchange {
public:
    // `target` is path and query. Fields are given as "Name: value".
    explicit RecordedExchange(std::string method, std::string target,
                              std::vector<std::string> fields = {}, std::string body = {})
        : method_(std::move(method)),
          target_(std::move(target)),
          fields_(std::move(fields)),
          body_(std::move(body))
    {
        const std::string_view text = target_;
        const std::size_t question = text.find('?');
        head_.method = method_;
        head_.path = text.substr(0, question);
        if (question != text.npos) head_.query = text.substr(question + 1);
        for (const std::string_view field : fields_) {
            const std::size_t colon = field.find(": ");
            head_.fields.push_back({field.substr(0, colon), field.substr(colon + 2)});
        }
        if (!body_->empty()) head_.content_length = body_->size();
    }
    RecordedExchange(const RecordedExchange&) = delete;
    RecordedExchange& operator=(const RecordedExchange&) = delete;

    const http::RequestHead& request() const override { return head_; }
    const http::Peer& peer() const override { return client; }

    Task<Result<std::string>> body(std::size_t limit, http::Payer payer) override
    {
        body_was_read = true;
        body_limit = limit;
        body_user = payer.user;
        body_share = body_ ? body_->size() : 0;
        co_return std::move(body_);
    }
    void shrink_body_share(std::size_t bytes) override { body_share = std::min(body_share, bytes); }

    Result<> reserve_response(std::size_t bytes, const http::Payer&) override
    {
        if (bytes <= room_for_response) return {};
        return Error{Errc::overloaded, "Too many responses wait to be read."};
    }

    Result<http::Charge> charge_response(std::size_t bytes, const http::Payer& payer) override
    {
        if (auto room = reserve_response(bytes, payer); !room) return room.error();
        return http::Charge();
    }

    http::EventStream& stream(http::Response head) override
    {
        stream_head = std::move(head);
        return events;
    }

    void on_disconnect(std::function<void()> callback) override { left = std::move(callback); }

    void fail_body_with(Error error) { body_ = std::move(error); }

    http::Peer client{boost::asio::ip::make_address("192.0.2.7"), false};
    bool body_was_read = false;
    std::size_t body_limit = 0;
    std::string body_user;
    std::size_t body_share = 0;
    std::size_t room_for_response = 1'000'000;
    RecordedStream events;
    std::optional<http::Response> stream_head;
    std::function<void()> left;  // To be called to simulate a disconnect.

private:
    std::string method_;
    std::string target_;
    std::vector<std::string> fields_;
    Result<std::string> body_;
    http::RequestHead head_;
};

}  // namespace parley::api
