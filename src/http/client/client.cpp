#include "http/client/client.hpp"

#include "http/client/exchange.hpp"
#include "http/client/tls.hpp"
#include "http/framing.hpp"
#include "http/message.hpp"

#include <algorithm>
#include <array>

namespace parley::http::client {
namespace {

constexpr std::size_t usual_head = 512;

constexpr std::array<std::string_view, 9> own_fields{
    "host", "content-length", "transfer-encoding", "connection", "keep-alive",
    "te",   "trailer",        "upgrade",           "expect"};

bool belongs_to_client(std::string_view name)
{
    return std::any_of(own_fields.begin(), own_fields.end(),
                       [&](std::string_view own) { return same_name(own, name); });
}

ClientError unsendable(const ClientRequest& request, const std::string& why)
{
    return {ClientFailure::unsendable,
            "The request to " + request.url.host_and_port() + " cannot be sent: " + why + "."};
}

bool expects_body(std::string_view method)
{
    return method == "POST" || method == "PUT" || method == "PATCH";
}

// Free coroutines with the state as a parameter, because they may outlive the client.
Task<ClientResult<ClientResponse>> fetch(std::shared_ptr<ClientState> state, ClientRequest request)
{
    const std::size_t max_body = request.max_body;
    ClientExchange exchange(std::move(state), std::move(request), max_body);
    const auto started = co_await exchange.start();
    if (!started) co_return started.error();
    ClientResponse response;
    while (true) {
        const auto piece = co_await exchange.next();
        if (!piece) co_return piece.error();
        if (piece->empty()) break;
        response.body += *piece;
    }
    static_cast<ClientHead&>(response) = exchange.take_head();
    co_return response;
}

Task<ClientResult<std::unique_ptr<ClientStream>>> begin(std::shared_ptr<ClientState> state,
                                                        ClientRequest request)
{
    auto exchange =
        std::make_unique<ClientExchange>(std::move(state), std::move(request), std::nullopt);
    const auto started = co_await exchange->start();
    if (!started) co_return started.error();
    co_return std::unique_ptr<ClientStream>(std::move(exchange));
}

}  // namespace

ClientResult<std::string> write_request_head(const ClientRequest& request,
                                             const std::string& user_agent)
{
    if (!is_token(request.method) || request.method == "CONNECT")
        return unsendable(request, "its method is malformed");
    std::string text;
    text.reserve(usual_head);
    text.append(request.method).append(" ").append(request.url.target());
    text.append(" HTTP/1.1\r\nHost: ").append(request.url.authority()).append("\r\n");
    bool names_agent = false;
    for (const ClientField& field : request.fields) {
        const std::size_t begin = text.size();
        text.append(field.name).append(": ").append(field.value);
        const auto read = parse_field(std::string_view(text).substr(begin));
        // Parses the field again to reject a line break, a colon in the name, or lost characters.
        if (!read || read->name != field.name || read->value != field.value)
            return unsendable(request, "one of its fields is malformed");
        if (belongs_to_client(field.name))
            return unsendable(request, field.name + " is set by the client and must not be given");
        names_agent = names_agent || same_name(field.name, "user-agent");
        text.append("\r\n");
    }
    if (!names_agent) text.append("User-Agent: ").append(user_agent).append("\r\n");
    if (!request.body.empty() || expects_body(request.method))
        text.append("Content-Length: ").append(std::to_string(request.body.size())).append("\r\n");
    text += "\r\n";
    return text;
}

ClientState::ClientState(Loop& its_loop, ClientOptions its_options)
    : loop(its_loop),
      options(std::move(its_options)),
      pool(loop, {.per_origin = options.max_idle_per_origin,
                  .total = options.max_idle,
                  .wait = options.idle_wait})
{
}

ClientResult<boost::asio::ssl::context*> ClientState::tls()
{
    if (!tls_) {
        auto made = make_client_tls(options.ca_file, options.only_certificate);
        if (!made) return made.error();
        tls_ = std::move(*made);
    }
    return tls_.get();
}

std::optional<std::string_view> ClientHead::field(std::string_view name) const
{
    for (const ClientField& field : fields)
        if (same_name(field.name, name)) return field.value;
    return std::nullopt;
}

Client::Client(Loop& loop, ClientOptions options)
    : state_(std::make_shared<ClientState>(loop, std::move(options)))
{
}

Client::~Client() = default;

ClientResult<> Client::prepare_tls()
{
    const auto made = state_->tls();
    return made ? ClientResult<>() : made.error();
}

Task<ClientResult<ClientResponse>> Client::send(ClientRequest request)
{
    return fetch(state_, std::move(request));
}

Task<ClientResult<std::unique_ptr<ClientStream>>> Client::open(ClientRequest request)
{
    return begin(state_, std::move(request));
}

std::unique_ptr<ClientStream> Client::prepare(ClientRequest request)
{
    return std::make_unique<ClientExchange>(state_, std::move(request), std::nullopt);
}

std::size_t Client::idle_connections() const { return state_->pool.size(); }

}  // namespace parley::http::client
