#include "schema/formats.hpp"

#include <algorithm>
#include <chrono>

namespace parley::schema {
namespace {

constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

constexpr bool is_hex(char letter)
{
    return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

// Takes two digits (or `digits` of them) from the front; -1: there are none.
int take_number(std::string_view& text, std::size_t digits = 2)
{
    if (text.size() < digits || !std::ranges::all_of(text.substr(0, digits), is_digit)) return -1;
    int number = 0;
    for (const char digit : text.substr(0, digits)) number = number * 10 + (digit - '0');
    text.remove_prefix(digits);
    return number;
}

bool take(std::string_view& text, std::string_view one_of)
{
    if (text.empty() || one_of.find(text.front()) == one_of.npos) return false;
    text.remove_prefix(1);
    return true;
}

bool take_date(std::string_view& text)
{
    const int year = take_number(text, 4);
    if (year < 0 || !take(text, "-")) return false;
    const int month = take_number(text);
    if (month < 0 || !take(text, "-")) return false;
    const int day = take_number(text);
    return day >= 0 && std::chrono::year_month_day(std::chrono::year(year),
                                                   std::chrono::month(static_cast<unsigned>(month)),
                                                   std::chrono::day(static_cast<unsigned>(day)))
                           .ok();
}

// Minutes from UTC; nothing if it is not an offset.
std::optional<int> take_offset(std::string_view& text)
{
    if (take(text, "Zz")) return 0;
    const bool is_behind = text.starts_with('-');
    if (!take(text, "+-")) return {};
    const int hours = take_number(text);
    if (hours < 0 || hours > 23 || !take(text, ":")) return {};
    const int minutes = take_number(text);
    if (minutes < 0 || minutes > 59) return {};
    return (hours * 60 + minutes) * (is_behind ? -1 : 1);
}

bool take_time(std::string_view& text)
{
    const int hour = take_number(text);
    if (hour < 0 || hour > 23 || !take(text, ":")) return false;
    const int minute = take_number(text);
    if (minute < 0 || minute > 59 || !take(text, ":")) return false;
    const int second = take_number(text);
    if (second < 0 || second > 60) return false;
    if (take(text, ".")) {
        const auto end = std::ranges::find_if_not(text, is_digit);
        if (end == text.begin()) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    }
    const auto offset = take_offset(text);
    if (!offset) return false;
    constexpr int day = 24 * 60;
    const int in_utc = ((hour * 60 + minute - *offset) % day + day) % day;
    return second < 60 || in_utc == day - 1;  // A leap second is at the end of a day in UTC.
}

bool is_uuid(std::string_view text)
{
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_dash ? text[i] != '-' : !is_hex(text[i])) return false;
    }
    return true;
}

#define DATE                                                                                  \
    R"([0-9]{4} "-" ( ( "0" [13578] | "1" [02] ) "-" ( "0" [1-9] | [12] [0-9] | "3" [01] ) )" \
    R"(| ( "0" [469] | "11" ) "-" ( "0" [1-9] | [12] [0-9] | "30" ) )"                        \
    R"(| "02-" ( "0" [1-9] | "1" [0-9] | "2" [0-8] ) ))"
#define CLOCK R"(( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9])"
#define TIME CLOCK R"( ":" [0-5] [0-9] ( "." [0-9]{1,9} )? ( "Z" | [+-] )" CLOCK R"( ))"

}  // namespace

std::optional<Format> format_named(std::string_view name)
{
    if (name == "date") return Format::date;
    if (name == "time") return Format::time;
    if (name == "date-time") return Format::date_time;
    if (name == "uuid") return Format::uuid;
    return {};
}

bool has_format(Format format, std::string_view text)
{
    switch (format) {
        case Format::none:
            return true;
        case Format::date:
            return take_date(text) && text.empty();
        case Format::time:
            return take_time(text) && text.empty();
        case Format::date_time:
            return take_date(text) && take(text, "Tt") && take_time(text) && text.empty();
        case Format::uuid:
            return is_uuid(text);
    }
    return false;
}

std::string_view smallest_of(Format format)
{
    switch (format) {
        case Format::none:
            return "";
        case Format::date:
            return "1970-01-01";
        case Format::time:
            return "00:00:00Z";
        case Format::date_time:
            return "1970-01-01T00:00:00Z";
        case Format::uuid:
            return "00000000-0000-0000-0000-000000000000";
    }
    return "";
}

std::string_view grammar_of(Format format)
{
    switch (format) {
        case Format::none:
            return "char*";
        case Format::date:
            return DATE;
        case Format::time:
            return TIME;
        case Format::date_time:
            return DATE R"( "T" )" TIME;
        case Format::uuid:
            return R"([0-9a-f]{8} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{12})";
    }
    return "";
}

}  // namespace parley::schema
