// Sends spans to a collector by OTLP over HTTP, many at a time, from a thread of its own. Spans
// wait in a queue of limited size; if the collector is slow or absent, they are dropped and
// counted, and nothing else notices.
//
// Threads: any. It must outlive everything that records spans.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "http/client/blocking.hpp"
#include "tracing/otlp/otlp_json.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace parley::tracing::otlp {

struct Options {
    http::client::Url url;  // The collector's URL for traces.
    std::vector<http::client::ClientField> fields = {};
    Resource resource = {};
    std::size_t max_waiting = 4096;
    std::size_t max_batch = 512;
    std::chrono::milliseconds interval = std::chrono::seconds(1);
    std::chrono::milliseconds timeout = std::chrono::seconds(5);
    std::chrono::milliseconds last_wait = std::chrono::seconds(2);  // For what waits at the end.
};

// The URL for traces below the base URL of a collector, such as http://127.0.0.1:4318. Fails with
// invalid_request.
Result<http::client::Url> traces_url(std::string_view base);

// Lines like `Authorization: Bearer …`; empty lines are skipped. Fails with invalid_request, and
// does not repeat what it has read.
Result<std::vector<http::client::ClientField>> read_fields(std::string_view text);

struct Figures {
    std::uint64_t exported = 0;
    std::uint64_t dropped = 0;
};

class Exporter final : public Sink {
public:
    // Turns tracing on.
    explicit Exporter(Options options);
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;
    // Turns it off, and tries once to send what waits, for `last_wait` at most: a collector that
    // hangs must not delay the end of the server.
    ~Exporter() override;

    void take(Span span) override;

    Figures figures();

private:
    void run();
    std::vector<Span> next_batch(bool& is_last);
    void send(const std::vector<Span>& batch);
    Task<http::client::ClientResult<int>> deliver(http::client::Client& client,
                                                  http::client::ClientRequest request);
    Task<> give_up();
    void note(std::size_t spans, const std::string& failure);

    const Options options_;
    http::client::Resolver resolver_;  // The one of a loop would be waited for at the end.
    http::client::BlockingClient client_{{.resolver = &resolver_}};
    // Only on the client's loop: the request in progress, and whether no other may follow.
    std::unique_ptr<http::client::ClientStream> request_;
    bool given_up_ = false;
    bool works_ = true;  // Only in the thread.

    Mutex mutex_;
    Condition changed_;
    std::deque<Span> waiting_ GUARDED_BY(mutex_);
    Figures figures_ GUARDED_BY(mutex_);
    bool stopped_ GUARDED_BY(mutex_) = false;
    bool ended_ GUARDED_BY(mutex_) = false;
    std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace parley::tracing::otlp
