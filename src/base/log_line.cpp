#include "base/log_line.hpp"

#include "base/escape_control.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace parley::log {
namespace {

constexpr std::string_view name_of(Level level)
{
    switch (level) {
        case Level::debug:
            return "debug";
        case Level::info:
            return "info";
        case Level::warn:
            return "warn";
        case Level::error:
            return "error";
    }
    return "error";
}

constexpr std::string_view colour_of(Level level)
{
    switch (level) {
        case Level::debug:
            return "\x1b[2m";
        case Level::info:
            return "\x1b[32m";
        case Level::warn:
            return "\x1b[33m";
        case Level::error:
            return "\x1b[31m";
    }
    return {};
}
constexpr std::string_view faint = "\x1b[2m";
constexpr std::string_view plain = "\x1b[0m";

void append_escaped(std::string& out, std::string_view text)
{
    append_visible(out, utf8::cut(text, max_text_bytes));
    if (text.size() > max_text_bytes) out += "...";
}

void append_quoted(std::string& out, std::string_view text)
{
    out += '"';
    append_escaped(out, text);
    out += '"';
}

// A word without quotes is easier to read.
void append_word(std::string& out, std::string_view text)
{
    const bool bare = !text.empty() && text.size() <= max_text_bytes &&
                      std::all_of(text.begin(), text.end(), [](char letter) {
                          return letter > ' ' && letter < 0x7F && letter != '"' && letter != '\\' &&
                                 letter != '=';
                      });
    if (bare)
        out += text;
    else
        append_quoted(out, text);
}

template <class Integer>
void append_integer(std::string& out, Integer number)
{
    const fmt::format_int digits(number);
    out.append(digits.data(), digits.size());
}

// Most numbers are milliseconds: three decimals are enough, and cost a third of a general
// conversion.
void append_real(std::string& out, double number)
{
    if (number < 0.001 || number > 1e12) {
        fmt::format_to(std::back_inserter(out), "{:.6g}", number);
        return;
    }
    const auto thousandths = static_cast<std::uint64_t>(std::llround(number * 1000));
    append_integer(out, thousandths / 1000);
    const auto rest = static_cast<unsigned>(thousandths % 1000);
    if (rest == 0) return;
    out.append({'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                static_cast<char>('0' + rest % 10)});
}

void append_value(std::string& out, const Value& value, Look look)
{
    switch (value.kind) {
        case Value::Kind::integer:
            append_integer(out, value.integer);
            break;
        case Value::Kind::natural:
            append_integer(out, value.natural);
            break;
        case Value::Kind::real:
            if (std::isfinite(value.real))
                append_real(out, value.real);
            else
                out += look == Look::json ? "null" : "none";
            break;
        case Value::Kind::boolean:
            out += value.boolean ? "true" : "false";
            break;
        case Value::Kind::text:
            if (look == Look::json)
                append_quoted(out, value.text);
            else
                append_word(out, value.text);
            break;
    }
}

void append_json(std::string& out, TimePoint at, Level level, std::string_view message,
                 std::span<const Value> values)
{
    Rfc3339 time;
    write_rfc3339(at, time);
    out.append("{\"at\":\"").append(time.data(), time.size());
    out.append("\",\"level\":\"").append(name_of(level)).append("\",\"message\":");
    append_quoted(out, message);
    for (const Value& value : values) {
        out.append(",\"").append(value.key).append("\":");
        append_value(out, value, Look::json);
    }
    out += "}\n";
}

void append_time_of_day(std::string& out, TimePoint at)
{
    const auto whole = std::chrono::floor<std::chrono::milliseconds>(at);
    const std::time_t seconds =
        std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(whole));
    const auto milliseconds = (whole.time_since_epoch() % std::chrono::seconds(1)).count();
    std::tm local{};
    localtime_r(&seconds, &local);
    fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}.{:03}", local.tm_hour, local.tm_min,
                   local.tm_sec, milliseconds < 0 ? milliseconds + 1000 : milliseconds);
}

void append_for_people(std::string& out, Look look, TimePoint at, Level level,
                       std::string_view message, std::span<const Value> values)
{
    const auto colour = [&](std::string_view sequence) {
        if (look == Look::colours) out += sequence;
    };
    colour(faint);
    append_time_of_day(out, at);
    colour(plain);
    out += ' ';
    colour(colour_of(level));
    fmt::format_to(std::back_inserter(out), "{:<5}", name_of(level));
    colour(plain);
    out += ' ';
    append_escaped(out, message);
    const char* gap = "  ";
    for (const Value& value : values) {
        out += std::exchange(gap, " ");
        colour(faint);
        out.append(value.key).append(1, '=');
        colour(plain);
        append_value(out, value, look);
    }
    out += '\n';
}

}  // namespace

void append_line(std::string& out, Look look, TimePoint at, Level level, std::string_view message,
                 std::span<const Value> values)
{
    if (look == Look::json)
        append_json(out, at, level, message, values);
    else
        append_for_people(out, look, at, level, message, values);
}

}  // namespace parley::log
