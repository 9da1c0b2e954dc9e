// A small chat completions server for tests: sends the words of a text, one event each, obeys
// `max_tokens` and `stop`, and is slow or fails if the question says so. For invalid responses, use
// ScriptedPeer.
#pragma once

#include "base/json.hpp"
#include "http/client/peer_for_tests.hpp"

#include <boost/json/serialize.hpp>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace parley::engine::upstream {

class MockUpstream {
public:
    static constexpr const char* text = "One two thr\u00e9e four five six.";

    MockUpstream()
        : accepting_([this] {
              while (true) {
                  boost::system::error_code error;
                  auto socket = acceptor_.accept(error);
                  if (error) return;
                  threads_.emplace_back([this, moved = std::move(socket)]() mutable {
                      http::client::ScriptedConnection client(std::move(moved));
                      serve(client);
                  });
              }
          })
    {
    }
    MockUpstream(const MockUpstream&) = delete;
    MockUpstream& operator=(const MockUpstream&) = delete;
    ~MockUpstream()
    {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        ended_.notify_all();
        ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
        accepting_.join();
        for (std::thread& each : threads_) each.join();
    }

    http::client::Url url() const
    {
        return http::client::Url::parse(
                   "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) +
                   "/v1/chat/completions")
            .value();
    }

private:
    void serve(http::client::ScriptedConnection& client)
    {
        for (std::string request = client.hear(); !request.empty(); request = client.hear()) {
            const auto body = json::parse(request.substr(request.find("\r\n\r\n") + 4)).value();
            if (!answer(client, body.as_object())) return;
        }
    }

    // False if the connection must be closed.
    bool answer(http::client::ScriptedConnection& client, const boost::json::object& body)
    {
        const std::string question(body.at("messages").as_array().back().at("content").as_string());
        if (question == "fail") return client.say("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
        client.say(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            "Transfer-Encoding: chunked\r\n\r\n");
        std::string whole = text;
        boost::json::value matched;
        if (const auto* stop = body.if_contains("stop"))
            for (const auto& each : stop->as_array())
                if (const auto at = whole.find(std::string_view(each.as_string()));
                    at != whole.npos) {
                    whole.resize(at);
                    matched = each;
                }
        const auto* most = body.if_contains("max_tokens");
        std::int64_t said = 0;
        for (std::size_t at = 0; at < whole.size() && (!most || said < most->as_int64()); ++said) {
            const std::size_t end = std::min(whole.find(' ', at + 1), whole.size());
            const boost::json::object delta{{"content", whole.substr(at, end - at)}};
            if (!event(client, {{"delta", delta}, {"finish_reason", nullptr}})) return false;
            at = end;
            if (question == "fail midway" && said == 1) return false;
            if (question == "slow" && !sleep()) return false;
        }
        const bool cut = most && said == most->as_int64();
        event(client, {{"delta", boost::json::object()},
                       {"finish_reason", cut && matched.is_null() ? "length" : "stop"},
                       {"stop_reason", matched}});
        return end(client, said);
    }

    static bool event(http::client::ScriptedConnection& client, const boost::json::object& choice)
    {
        return chunk(client, boost::json::serialize(
                                 boost::json::object{{"choices", boost::json::array{choice}}}));
    }
    static bool end(http::client::ScriptedConnection& client, std::int64_t said)
    {
        const boost::json::object usage{{"prompt_tokens", 7}, {"completion_tokens", said}};
        chunk(client, boost::json::serialize(boost::json::object{{"choices", boost::json::array()},
                                                                 {"usage", usage}}));
        return chunk(client, "[DONE]") && client.say("0\r\n\r\n");
    }
    static bool chunk(http::client::ScriptedConnection& client, const std::string& data)
    {
        std::ostringstream framed;
        framed << std::hex << data.size() + 8 << "\r\ndata: " << data << "\n\n\r\n";
        return client.say(framed.str());
    }
    bool sleep()
    {
        std::unique_lock lock(mutex_);
        return !ended_.wait_for(lock, std::chrono::seconds(5), [this] { return ending_; });
    }

    boost::asio::io_context context_;
    boost::asio::ip::tcp::acceptor acceptor_{context_,
                                             {boost::asio::ip::address_v4::loopback(), 0}};
    std::mutex mutex_;
    std::condition_variable ended_;
    bool ending_ = false;
    std::vector<std::thread> threads_;
    std::thread accepting_;
};

}  // namespace parley::engine::upstream
