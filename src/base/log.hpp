// The log: one line per event, with a constant message and named values.
//
//   log::warn("cannot open the port", log::kv("address", address), log::kv("reason", reason));
//
// On a terminal lines are text, elsewhere each is a JSON object. Values are escaped, so that
// content can neither forge a line nor control a terminal. A Secret has no kv().
//
// Threads: from any thread. A caller never waits for the output: a writer thread writes the line.
// If the output is blocked and the buffer is full, lines are dropped, and a line says how many.
// Before start() and after stop() lines are written at once, by the caller.
#pragma once

#include "base/clock.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace parley::log {

enum class Level { debug, info, warn, error };
enum class Format { automatic, people, json };

struct Options {
    std::optional<Level> level = {};    // Absent: info, or warn on a terminal, for people.
    Format format = Format::automatic;  // Text on a terminal, else JSON.
    int fd = 2;
    const Clock* clock = &system_clock();
};

// To be called by one thread.
void start(const Options& options);

// Waits until all lines so far are written; false if that takes too long.
bool flush(std::chrono::milliseconds patience = std::chrono::seconds(2));

// Writes the waiting lines, unless that takes longer than flush() would, and ends the writer
// thread.
void stop();

// The name of a value: a literal in lower case, checked when compiled, so that content cannot
// become a name.
class Key {
public:
    consteval Key(const char* text) : text_(text)
    {
        for (const char letter : text_)
            if (!(letter >= 'a' && letter <= 'z') && !(letter >= '0' && letter <= '9') &&
                letter != '_')
                throw "A key has lower-case letters, digits and _.";
        if (text_ == "at" || text_ == "level" || text_ == "message") throw "This key is taken.";
    }
    constexpr std::string_view text() const { return text_; }

private:
    std::string_view text_;
};

struct Value {
    enum class Kind { integer, natural, real, boolean, text };

    std::string_view key;
    Kind kind;
    union {
        std::int64_t integer;
        std::uint64_t natural;
        double real;
        bool boolean;
    };
    std::string_view text = {};
};

// A value with its name, to be created inside the log call: a text is kept as a view.
inline Value kv(Key key, std::same_as<bool> auto value)
{
    return {.key = key.text(), .kind = Value::Kind::boolean, .boolean = value};
}
template <std::signed_integral T>
    requires(!std::same_as<T, bool>)
Value kv(Key key, T value)
{
    return {.key = key.text(), .kind = Value::Kind::integer, .integer = value};
}
template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
Value kv(Key key, T value)
{
    return {.key = key.text(), .kind = Value::Kind::natural, .natural = value};
}
inline Value kv(Key key, std::floating_point auto value)
{
    return {.key = key.text(), .kind = Value::Kind::real, .real = static_cast<double>(value)};
}
template <class T>
    requires std::convertible_to<const T&, std::string_view>
Value kv(Key key, const T& value)
{
    return {.key = key.text(), .kind = Value::Kind::text, .integer = 0, .text = value};
}
// As a number of milliseconds.
template <class Rep, class Period>
Value kv(Key key, std::chrono::duration<Rep, Period> value)
{
    return kv(key, std::chrono::duration<double, std::milli>(value).count());
}

namespace detail {

inline std::atomic<Level> lowest = Level::info;

void write(Level level, std::string_view message, std::span<const Value> values);

template <class... Values>
void write_if_enabled(Level level, std::string_view message, const Values&... values)
{
    if (level < lowest.load(std::memory_order_relaxed)) return;
    const std::array<Value, sizeof...(values)> list{values...};
    write(level, message, list);
}

}  // namespace detail

template <std::same_as<Value>... Values>
void debug(std::string_view message, const Values&... values)
{
    detail::write_if_enabled(Level::debug, message, values...);
}
template <std::same_as<Value>... Values>
void info(std::string_view message, const Values&... values)
{
    detail::write_if_enabled(Level::info, message, values...);
}
template <std::same_as<Value>... Values>
void warn(std::string_view message, const Values&... values)
{
    detail::write_if_enabled(Level::warn, message, values...);
}
template <std::same_as<Value>... Values>
void error(std::string_view message, const Values&... values)
{
    detail::write_if_enabled(Level::error, message, values...);
}

}  // namespace parley::log
