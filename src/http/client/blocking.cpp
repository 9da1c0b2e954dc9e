#include "http/client/blocking.hpp"

namespace parley::http::client {
namespace {

ClientError bad_url(const Error& error) { return {ClientFailure::unsendable, error.message}; }

}  // namespace

BlockingClient::BlockingClient(ClientOptions options, const Clock& clock)
    : loops_(1, clock), client_(loops_[0], std::move(options))
{
}

// Stops the loop's thread before the client's connections are destroyed, which it would still use.
BlockingClient::~BlockingClient() { loops_.stop(); }

ClientResult<ClientResponse> BlockingClient::send(ClientRequest request)
{
    return run([&request](Client& client) { return client.send(std::move(request)); });
}

ClientResult<ClientResponse> BlockingClient::get(std::string_view url)
{
    auto parsed = Url::parse(url);
    if (!parsed) return bad_url(parsed.error());
    return send({.url = std::move(*parsed)});
}

ClientResult<ClientResponse> BlockingClient::post(std::string_view url, std::string body,
                                                  std::string content_type)
{
    auto parsed = Url::parse(url);
    if (!parsed) return bad_url(parsed.error());
    return send({.method = "POST",
                 .url = std::move(*parsed),
                 .fields = {{"Content-Type", std::move(content_type)}},
                 .body = std::move(body)});
}

}  // namespace parley::http::client
