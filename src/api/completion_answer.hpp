// Shared by the ways to answer a chat completion: the answer itself, and the client that receives
// it.
//
// Threads: the loop of the request.
#pragma once

#include "api/completion_writer.hpp"
#include "api/endpoint.hpp"
#include "api/readiness.hpp"
#include "http/exchange.hpp"

#include <functional>
#include <memory>
#include <string>

namespace parley::api {

// A completion, or the response that replaces it.
struct CompletionAnswer {
    http::Response response = {};
};

// How a completion reaches its client; made of the request.
struct CompletionClient {
    SignedIn caller;
    const http::RequestHead& head;
    CommonHeaders& common_headers;
    Stream stream;
    BodyShare body;
    ClientDisconnect presence;
    const Readiness& readiness;
    const Clock& clock;
    std::string trace = {};  // A valid `traceparent`; may be empty.
    bool streamed = false;
    bool includes_usage = false;
};

// The client has disconnected, so the answer is not sent. The status is the one that proxies log in
// this case.
CompletionAnswer client_disconnected();

// While this lives, `callback` is called on this loop when the client disconnects, or when its
// token is revoked: an answer that is not stored is then useless.
class ClientWatch {
public:
    static Task<std::unique_ptr<ClientWatch>> begin(CompletionClient& client,
                                                    std::function<void()> callback);
    ClientWatch(const ClientWatch&) = delete;
    ClientWatch& operator=(const ClientWatch&) = delete;

    // This stream is cut when the token is revoked, before `callback` is called; at once if it was
    // revoked already.
    void cuts(http::EventStream& events);

    // The answer after `callback` was called: none, or invalid_token; shutting_down if this server
    // is stopping.
    Result<CompletionAnswer> disconnect_response() const;

private:
    ClientWatch(CompletionClient& client, std::function<void()> callback);

    const Readiness& readiness_;
    std::function<void()> callback_;
    ClientDisconnect::Watch presence_;
    bool lost_rights_ = false;
    http::EventStream* events_ = nullptr;  // Once it is open.
    std::unique_ptr<OpenStreams::Entry> entry_;
};

// Tells clients not to retry, because the model would do the same work again.
void discourage_retry(const Error& error, CommonHeaders& common_headers);

// An open stream; `ended` is called when the client disconnects or the stream is cut.
class OpenCompletion {
public:
    static Task<std::unique_ptr<OpenCompletion>> open(CompletionClient& client,
                                                      std::function<void()> ended);
    // The same if the rights are watched already.
    static std::unique_ptr<OpenCompletion> open(CompletionClient& client, ClientWatch& watch,
                                                std::function<void()> ended);
    ~OpenCompletion();
    OpenCompletion(const OpenCompletion&) = delete;
    OpenCompletion& operator=(const OpenCompletion&) = delete;

    // Waits until the client has taken it; a null frame is nothing to send. False once it is over.
    Task<bool> send(http::Frame frame);

    // Sends the last frame. A stream without one is cut when this goes, so that half an answer
    // never looks like a whole one, however it ended.
    Task<> finish(http::Frame last);

private:
    OpenCompletion(http::EventStream& events, std::function<void()> ended);

    http::EventStream& events_;
    bool is_complete_ = false;
};

namespace detail {

template <>
struct Argument<CompletionClient> : Argument<With<auth::Scope::chat_write>> {
    static std::vector<ServiceKey> needs()
    {
        return {ServiceKey::of<OpenStreams>(), ServiceKey::of<const Readiness>(),
                ServiceKey::of<const Clock>()};
    }
    static CompletionClient make(Call& call, Faults& /*faults*/)
    {
        return {.caller = SignedIn(call.caller),
                .head = call.exchange.request(),
                .common_headers = call.common_headers,
                .stream = Stream(call),
                .body = BodyShare(call),
                .presence = ClientDisconnect(call),
                .readiness = call.services.get<const Readiness>(),
                .clock = call.services.get<const Clock>(),
                .trace = call.trace};
    }
};

template <>
struct ResponseTraits<CompletionAnswer> {
    static constexpr int status = 200;
    static boost::json::object schema()
    {
        return fields::schema<Completion>(fields::Direction::response);
    }
    static http::Response response(CompletionAnswer answer) { return std::move(answer.response); }
};

}  // namespace detail

}  // namespace parley::api
