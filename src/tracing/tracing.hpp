// Spans of OpenTelemetry: how long requests, runs, calls of other servers and commits take, and
// which of them belong together. Off unless turn_on() was called. A span never waits for another
// machine.
//
// Threads: any. A span belongs to one thread at a time.
#pragma once

#include "base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::tracing {

struct Attribute {
    std::string name;
    std::variant<std::string, std::int64_t> value;

    bool operator==(const Attribute&) const = default;
};

// With the numbers of OTLP.
enum class Kind { internal = 1, server = 2, client = 3 };

struct Span {
    std::string trace = {};   // 32 hexadecimal digits.
    std::string id = {};      // 16.
    std::string parent = {};  // Empty: it is the first of its trace.
    std::string name = {};
    Kind kind = Kind::internal;
    TimePoint begin = {};
    TimePoint end = {};
    std::vector<Attribute> attributes = {};
    std::optional<std::string> error = {};
};

// Receives ended spans. take() must not wait.
class Sink {
public:
    virtual ~Sink() = default;
    virtual void take(Span span) = 0;
};

// The sink must outlive everything that records spans.
void turn_on(Sink& sink);
void turn_off();
bool is_on();

// Something that belongs to no request and has just ended.
void record(std::string_view name, std::chrono::nanoseconds took,
            std::vector<Attribute> attributes);

// A span that has begun; its end is the end of this object, or end().
class OpenSpan {
public:
    // `traceparent` (W3C Trace Context) is of the work that this is a part of: valid, or empty for
    // a new trace. Nothing is recorded while tracing is off, or if the caller does not sample.
    OpenSpan(std::string_view name, Kind kind, std::string traceparent);
    OpenSpan(const OpenSpan&) = delete;
    OpenSpan& operator=(const OpenSpan&) = delete;
    ~OpenSpan() { end(); }

    // For the parts of this work: names this span if it is recorded, else what was given.
    const std::string& traceparent() const { return traceparent_; }

    bool is_recorded() const { return span_.has_value(); }
    void rename(std::string_view name);
    void add(std::string_view name, std::string_view value);
    void add(std::string_view name, std::int64_t value);
    // `code` says what went wrong; it must not contain anything private.
    void fail(std::string_view code);
    // A later attempt did better.
    void succeed();

    void end();
    // It is not recorded.
    void discard() { span_.reset(); }

private:
    void put(Attribute attribute);

    std::optional<Span> span_;
    std::string traceparent_;
    std::chrono::steady_clock::time_point begun_;
};

}  // namespace parley::tracing
