#include "engine/upstream/call.hpp"

#include "base/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <utility>

namespace parley::engine::upstream {
namespace {

using std::chrono::milliseconds;

constexpr int most_rounds = 3;
constexpr milliseconds first_pause{250};     // If the server does not name one; doubled each time.
constexpr milliseconds longest_pause{5000};  // If the server names more, there is no second try.

// The maximum number of reads between the last event and the end of the body.
constexpr int most_pieces_after_the_end = 4;

constexpr std::size_t most_fields = 5;  // Of a request.

Task<> read_to_the_end(std::unique_ptr<http::client::ClientStream> stream)
{
    for (int i = 0; i < most_pieces_after_the_end; ++i) {
        const auto piece = co_await stream->next();
        if (!piece || piece->empty()) co_return;
    }
}

// The URL of another operation: that of a server is the one of chat completions.
http::client::Url url_of(const http::client::Url& completions, std::string_view path)
{
    if (path == completions_path) return completions;
    std::string_view target = completions.target();
    if (!target.ends_with(completions_path)) return completions;
    target.remove_suffix(completions_path.size());
    const auto url = completions.with_target(std::string(target).append(path));
    return url ? *url : completions;
}

constexpr std::chrono::seconds probe_time{5};

Task<> find_out(std::shared_ptr<Breaker> breaker,
                std::unique_ptr<http::client::ClientStream> stream, const Clock& clock)
{
    const auto started = co_await stream->start();
    const int status = started ? stream->head().status : 0;
    const bool is_up = started && (status < 502 || status > 504);
    if (!is_up) log::warn("upstream probe failed; circuit breaker opened");
    breaker->probed(is_up, clock.steady());
}

}  // namespace

Call::Call(Upstream& upstream, const Executor& loop, CompletionRequest question, bool streamed)
    : upstream_(upstream),
      here_(upstream.clients.here(loop)),
      question_(std::move(question)),
      streamed_(streamed),
      span_("upstream", tracing::Kind::client, question_.trace)
{
    span_.add("gen_ai.request.model", upstream_.name);
}

Call::~Call()
{
    if (!span_.is_recorded()) return;
    if (!server_) {
        span_.discard();  // It was never sent.
        return;
    }
    span_.add("server.address", server_->url.host());
    span_.add("server.port", std::int64_t{server_->url.port()});
}

Task<Result<>> Call::open()
{
    alarm_.arm(here_.loop.wheel(), streamed_ ? upstream_.times.first_token : upstream_.run_timeout);
    std::optional<Failure> last;
    for (int round = 1;; ++round) {
        bool asked = false;
        for (Server& server : upstream_.servers) {
            if (!server.breaker->may_ask(now())) continue;
            asked = true;
            last = co_await ask(server);
            if (!last) {
                question_ = {};  // It is not sent again, and may be large.
                co_return Result<>();
            }
            if (aborted_) co_return gave_up();
            const Error error = fail(*last);
            if (!last->nothing_done) co_return error;
        }
        if (!last) co_return all_paused();
        const milliseconds pause = last->error.retry_after.value_or(std::chrono::seconds(0));
        const milliseconds wanted = std::max(pause, first_pause * (1 << (round - 1)));
        if (!asked || round == most_rounds || wanted > longest_pause) co_return last->error;
        co_await wait(wanted);
        if (timed_out_) co_return last->error;  // It says more than the timeout.
        if (aborted_) co_return gave_up();
    }
}

Task<std::optional<Failure>> Call::ask(Server& server)
{
    server_ = &server;
    stream_ = here_.client.prepare(request(server));
    asked_at_ = now();
    const auto started = co_await stream_->start();
    if (started ? status() != 200 : !may_be_at_work(started.error())) asked_at_.reset();
    if (!started) co_return failure_of(started.error());
    span_.add("http.response.status_code", std::int64_t{status()});
    auto failure = question_.path == embeddings_path && lacks_route(status())
                       ? no_embeddings(status())
                       : failure_of(stream_->head(), streamed_);
    // The server responds, so it is up. For status 200, that is decided when the answer begins.
    if (failure ? !failure->unhealthy : status() != 200) server.breaker->succeeded();
    co_return failure;
}

http::client::ClientRequest Call::request(const Server& server) const
{
    const UpstreamTimes& times = upstream_.times;
    http::client::ClientRequest made{
        .method = "POST",
        .url = url_of(server.url, question_.path),
        .body = question_.to(server.model),
        .deadlines = {.connect = times.connect,
                      .first_byte = streamed_ ? times.first_token : upstream_.run_timeout,
                      .silence = times.silence,
                      .total = upstream_.run_timeout}};
    made.fields.reserve(most_fields);
    made.fields.push_back({"Content-Type", "application/json"});
    made.fields.push_back({"Accept", streamed_ ? "text/event-stream" : "application/json"});
    made.fields.push_back({"Accept-Encoding", "identity"});
    if (const std::string& trace = span_.traceparent(); !trace.empty())
        made.fields.push_back({"traceparent", trace});
    if (!server.key.empty())
        made.fields.push_back({"Authorization", "Bearer " + std::string(server.key.reveal())});
    return made;
}

Task<Result<std::string_view>> Call::next()
{
    const auto bytes = co_await stream_->next();
    if (bytes) co_return *bytes;
    if (aborted_) co_return gave_up();
    co_return fail(failure_of(bytes.error()));
}

// The server has the request, and did not end it: we did, or our deadline.
bool Call::may_be_at_work(const http::client::ClientError& error) const
{
    return !error.before_sending &&
           (aborted_ || error.kind == http::client::ClientFailure::timeout);
}

std::optional<std::chrono::nanoseconds> Call::waited() const
{
    if (!asked_at_ || begun_) return std::nullopt;
    return now() - *asked_at_;
}

void Call::begun()
{
    if (std::exchange(begun_, true)) return;
    alarm_.disarm();
    server_->breaker->succeeded();
    span_.succeed();
}

Error Call::fail(const Failure& failure)
{
    // A failure in the middle of an answer does not predict the next one.
    if (failure.unhealthy && !begun_) server_->breaker->failed(now());
    if (failure.slow && !begun_ && server_->breaker->timed_out()) probe(*server_);
    ++upstream_.figures->upstream_errors;
    span_.fail(failure.slow ? "timeout" : "failed");
    const std::string server = server_->url.host_and_port();
    if (failure.misconfigured)
        log::error("upstream misconfigured", log::kv("model", upstream_.name),
                   log::kv("server", server), log::kv("reason", failure.reason));
    else
        log::warn("upstream failed", log::kv("model", upstream_.name), log::kv("server", server),
                  log::kv("reason", failure.reason));
    return failure.error;
}

// Requests the list of models, which is cheap for the server. Any response shows that it is up.
void Call::probe(const Server& server)
{
    http::client::ClientRequest made{.url = url_of(server.url, "/models"),
                                     .fields = {{"Accept", "application/json"}},
                                     .deadlines = {.connect = upstream_.times.connect,
                                                   .first_byte = probe_time,
                                                   .silence = probe_time,
                                                   .total = upstream_.times.connect + probe_time}};
    if (!server.key.empty())
        made.fields.push_back({"Authorization", "Bearer " + std::string(server.key.reveal())});
    boost::asio::co_spawn(
        here_.loop.executor(),
        find_out(server.breaker, here_.client.prepare(std::move(made)), here_.loop.clock()),
        boost::asio::detached);
}

Error Call::all_paused() const
{
    auto soonest = std::chrono::nanoseconds::max();
    for (const Server& server : upstream_.servers)
        soonest = std::min(soonest, server.breaker->remaining_pause(now()));
    Error error{Errc::model_unavailable,
                "The model's server has failed several times; requests to it are paused."};
    error.retry_after =
        std::max(std::chrono::ceil<std::chrono::seconds>(soonest), std::chrono::seconds(1));
    return error;
}

Error Call::gave_up() const
{
    if (timed_out_) return {Errc::upstream_timeout, "The model's server took too long."};
    return {Errc::upstream_error, "The client disconnected."};
}

void Call::time_is_up()
{
    timed_out_ = true;
    if (server_)
        fail({.error = {}, .reason = "timeout before the first piece of the answer", .slow = true});
    abort();
}

void Call::abort()
{
    aborted_ = true;
    alarm_.disarm();
    if (pause_) pause_->cancel();
    if (stream_) stream_->abort();
}

Task<> Call::wait(milliseconds time)
{
    if (!pause_) pause_.emplace(here_.loop.executor(), SteadyPoint::max());
    Waking waking(*pause_);
    waking.arm(here_.loop.wheel(), time);
    boost::system::error_code cancelled;
    co_await pause_->async_wait(boost::asio::redirect_error(awaiting, cancelled));
}

void Call::release()
{
    boost::asio::co_spawn(here_.loop.executor(), read_to_the_end(std::move(stream_)),
                          boost::asio::detached);
}

bool Call::tells_our_key(std::string_view text) const
{
    return !server_->key.empty() && text.find(server_->key.reveal()) != text.npos;
}

}  // namespace parley::engine::upstream
