#include "tracing/tracing.hpp"

#include "base/hex.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>

namespace parley::tracing {
namespace {

// 00-(32 digits)-(16 digits)-(2 digits)
constexpr std::size_t trace_at = 3;
constexpr std::size_t trace_length = 32;
constexpr std::size_t parent_at = 36;
constexpr std::size_t parent_length = 16;
constexpr std::size_t last_flag_at = 54;

std::atomic<Sink*>& sink()
{
    static std::atomic<Sink*> current = nullptr;
    return current;
}

template <std::size_t Bytes>
std::string random_id()
{
    std::array<unsigned char, Bytes> bytes{};
    random_bytes(std::as_writable_bytes(std::span(bytes)));
    bytes.front() |= 1U;  // All zeros are not a valid id.
    return to_hex(bytes);
}

bool is_sampled(std::string_view traceparent)
{
    const char digit = traceparent[last_flag_at];
    const int flags = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    return (flags & 1) != 0;
}

void give(Span span)
{
    if (Sink* const current = sink().load(std::memory_order_acquire))
        current->take(std::move(span));
}

}  // namespace

void turn_on(Sink& to) { sink().store(&to, std::memory_order_release); }
void turn_off() { sink().store(nullptr, std::memory_order_release); }
bool is_on() { return sink().load(std::memory_order_relaxed) != nullptr; }

void record(std::string_view name, std::chrono::nanoseconds took, std::vector<Attribute> attributes)
{
    if (!is_on()) return;
    const TimePoint now = system_clock().now();
    give({.trace = random_id<16>(),
          .id = random_id<8>(),
          .name = std::string(name),
          .begin = now - std::chrono::duration_cast<TimePoint::duration>(took),
          .end = now,
          .attributes = std::move(attributes)});
}

OpenSpan::OpenSpan(std::string_view name, Kind kind, std::string traceparent)
    : traceparent_(std::move(traceparent))
{
    if (!is_on() || (!traceparent_.empty() && !is_sampled(traceparent_))) return;
    Span begun{.id = random_id<8>(),
               .name = std::string(name),
               .kind = kind,
               .begin = system_clock().now()};
    if (traceparent_.empty()) {
        begun.trace = random_id<16>();
    } else {
        begun.trace = traceparent_.substr(trace_at, trace_length);
        begun.parent = traceparent_.substr(parent_at, parent_length);
    }
    traceparent_ = "00-" + begun.trace + "-" + begun.id + "-01";
    begun_ = std::chrono::steady_clock::now();
    span_ = std::move(begun);
}

void OpenSpan::rename(std::string_view name)
{
    if (span_) span_->name = name;
}

void OpenSpan::add(std::string_view name, std::string_view value)
{
    if (span_) put({std::string(name), std::string(value)});
}

void OpenSpan::add(std::string_view name, std::int64_t value)
{
    if (span_) put({std::string(name), value});
}

// A name must not occur twice.
void OpenSpan::put(Attribute attribute)
{
    const auto same = std::ranges::find(span_->attributes, attribute.name, &Attribute::name);
    if (same == span_->attributes.end())
        span_->attributes.push_back(std::move(attribute));
    else
        *same = std::move(attribute);
}

void OpenSpan::fail(std::string_view code)
{
    if (span_) span_->error = code;
}

void OpenSpan::succeed()
{
    if (span_) span_->error.reset();
}

void OpenSpan::end()
{
    if (!span_) return;
    // The wall clock may have been set meanwhile.
    const auto took = std::chrono::steady_clock::now() - begun_;
    span_->end = span_->begin + std::chrono::duration_cast<TimePoint::duration>(took);
    give(std::move(*span_));
    span_.reset();
}

}  // namespace parley::tracing
