#include "api/completion_answer.hpp"

#include "auth/caller.hpp"

#include <utility>

namespace parley::api {

namespace {

Task<bool> nothing_to_send() { co_return true; }

}  // namespace

CompletionAnswer client_disconnected()
{
    constexpr int client_closed_request = 499;
    return {http::Response{.status = client_closed_request, .fields = {}, .body = {}}};
}

ClientWatch::ClientWatch(CompletionClient& client, std::function<void()> callback)
    : readiness_(client.readiness),
      callback_(std::move(callback)),
      presence_(client.presence.watch([this] { callback_(); }))
{
}

Task<std::unique_ptr<ClientWatch>> ClientWatch::begin(CompletionClient& client,
                                                      std::function<void()> callback)
{
    std::unique_ptr<ClientWatch> watch(new ClientWatch(client, std::move(callback)));
    watch->entry_ = co_await client.stream.rights().watch([&seen = *watch] {
        seen.lost_rights_ = true;
        if (seen.events_) seen.events_->cut();
        seen.callback_();
    });
    co_return watch;
}

void ClientWatch::cuts(http::EventStream& events)
{
    events_ = &events;
    if (lost_rights_) events.cut();
}

Result<CompletionAnswer> ClientWatch::disconnect_response() const
{
    if (lost_rights_) return auth::invalid_token();
    // If the client has disconnected, it reads neither of these responses.
    if (auto is_open = readiness_.check_open(); !is_open) return is_open.error();
    return client_disconnected();
}

void discourage_retry(const Error& error, CommonHeaders& common_headers)
{
    if (error.code == Errc::upstream_error || error.code == Errc::upstream_timeout ||
        error.code == Errc::invalid_output)
        common_headers.add("x-should-retry", "false");
}

Task<std::unique_ptr<OpenCompletion>> OpenCompletion::open(CompletionClient& client,
                                                           std::function<void()> ended)
{
    // Never null: this route accepts only POST.
    http::EventStream& events = *co_await client.stream.open();
    co_return std::unique_ptr<OpenCompletion>(new OpenCompletion(events, std::move(ended)));
}

std::unique_ptr<OpenCompletion> OpenCompletion::open(CompletionClient& client, ClientWatch& watch,
                                                     std::function<void()> ended)
{
    http::EventStream& events = *client.stream.open_unwatched();
    watch.cuts(events);
    return std::unique_ptr<OpenCompletion>(new OpenCompletion(events, std::move(ended)));
}

OpenCompletion::OpenCompletion(http::EventStream& events, std::function<void()> ended)
    : events_(events)
{
    events_.when_ended(std::move(ended));
}

OpenCompletion::~OpenCompletion()
{
    events_.when_ended(nullptr);
    if (!is_complete_) events_.cut();
}

Task<bool> OpenCompletion::send(http::Frame frame)
{
    return frame ? events_.send(std::move(frame)) : nothing_to_send();
}

Task<> OpenCompletion::finish(http::Frame last) { is_complete_ = co_await send(std::move(last)); }

}  // namespace parley::api
