#include "tracing/otlp/exporter.hpp"

#include "base/ascii.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <utility>

namespace parley::tracing::otlp {
namespace {

using http::client::Client;
using http::client::ClientError;
using http::client::ClientFailure;
using http::client::ClientRequest;
using http::client::ClientResult;

constexpr std::string_view path = "/v1/traces";
constexpr std::size_t most_read = std::size_t{64} * 1024;

// The body is read and dropped, so that the connection can be used again.
Task<ClientResult<int>> status_of(http::client::ClientStream& stream)
{
    if (const auto started = co_await stream.start(); !started) co_return started.error();
    for (std::size_t bytes = 0; bytes < most_read;) {
        const auto piece = co_await stream.next();
        if (!piece) co_return piece.error();
        if (piece->empty()) break;
        bytes += piece->size();
    }
    co_return stream.head().status;
}

}  // namespace

Result<http::client::Url> traces_url(std::string_view base)
{
    auto url = http::client::Url::parse(base);
    if (!url) return url.error();
    std::string target = url->target();
    if (target.find('?') != target.npos)
        return invalid_request("must be the base URL of a collector, without a query.");
    while (target.ends_with('/')) target.pop_back();
    return url->with_target(target.append(path));
}

Result<std::vector<http::client::ClientField>> read_fields(std::string_view text)
{
    std::vector<http::client::ClientField> fields;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = ascii::trimmed(text.substr(0, end), " \t\r");
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
        if (line.empty()) continue;
        const std::size_t colon = line.find(':');
        const std::string_view name = ascii::trimmed(line.substr(0, colon));
        if (colon == line.npos || name.empty())
            return invalid_request("line " + std::to_string(number) +
                                   " is not a header field like `Name: value`.");
        fields.push_back({std::string(name), std::string(ascii::trimmed(line.substr(colon + 1)))});
    }
    return fields;
}

Exporter::Exporter(Options options) : options_(std::move(options)), thread_([this] { run(); })
{
    turn_on(*this);
}

Exporter::~Exporter()  // NOLINT(bugprone-exception-escape): out of memory.
{
    turn_off();
    {
        const auto deadline = std::chrono::steady_clock::now() + options_.last_wait;
        MutexLock lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
        while (!ended_)
            if (!changed_.wait_until(lock, deadline)) break;
    }
    client_.run([this](Client&) { return give_up(); });
    thread_.join();
}

void Exporter::take(Span span)
{
    const MutexLock lock(mutex_);
    if (waiting_.size() >= options_.max_waiting) {
        ++figures_.dropped;
        return;
    }
    waiting_.push_back(std::move(span));
    if (waiting_.size() == options_.max_batch) changed_.notify_all();
}

Figures Exporter::figures()
{
    const MutexLock lock(mutex_);
    return figures_;
}

void Exporter::run()
{
    for (bool is_last = false; !is_last;) {
        const auto batch = next_batch(is_last);
        if (!batch.empty()) send(batch);
    }
    const MutexLock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
}

// Waits for a full batch, or for the interval. The last one may be larger.
std::vector<Span> Exporter::next_batch(bool& is_last)
{
    const auto deadline = std::chrono::steady_clock::now() + options_.interval;
    MutexLock lock(mutex_);
    while (!stopped_ && waiting_.size() < options_.max_batch)
        if (!changed_.wait_until(lock, deadline)) break;
    is_last = stopped_;
    const std::size_t count =
        is_last ? waiting_.size() : std::min(waiting_.size(), options_.max_batch);
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<Span> batch(std::make_move_iterator(waiting_.begin()),
                            std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    return batch;
}

void Exporter::send(const std::vector<Span>& batch)
{
    ClientRequest request{.method = "POST",
                          .url = options_.url,
                          .fields = options_.fields,
                          .body = traces_json(options_.resource, batch),
                          .deadlines = {.connect = options_.timeout,
                                        .first_byte = options_.timeout,
                                        .silence = options_.timeout,
                                        .total = options_.timeout}};
    request.fields.push_back({"Content-Type", "application/json"});
    const auto status = client_.run(
        [this, &request](Client& client) { return deliver(client, std::move(request)); });
    if (!status)
        note(batch.size(), status.error().message);
    else if (*status < 200 || *status > 299)
        note(batch.size(), "status " + std::to_string(*status));
    else
        note(batch.size(), "");
}

Task<ClientResult<int>> Exporter::deliver(Client& client, ClientRequest request)
{
    if (given_up_) co_return ClientError{ClientFailure::closed, "The server shuts down."};
    request_ = client.prepare(std::move(request));
    auto status = co_await status_of(*request_);
    request_.reset();
    co_return status;
}

Task<> Exporter::give_up()
{
    given_up_ = true;
    if (request_) request_->abort();
    co_return;
}

// Says once that it fails, and once that it works again.
void Exporter::note(std::size_t spans, const std::string& failure)
{
    const bool works = failure.empty();
    if (works != std::exchange(works_, works)) {
        if (works)
            log::info("spans are exported again");
        else
            log::warn("cannot export spans; they are dropped",
                      log::kv("server", options_.url.host_and_port()), log::kv("reason", failure));
    }
    const MutexLock lock(mutex_);
    (works ? figures_.exported : figures_.dropped) += spans;
}

}  // namespace parley::tracing::otlp
