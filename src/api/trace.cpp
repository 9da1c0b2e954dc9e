#include "api/trace.hpp"

#include <algorithm>

namespace parley::api {
namespace {

constexpr std::size_t whole_length = 55;  // 00-(32 digits)-(16 digits)-(2 digits)
constexpr std::size_t trace_at = 3;
constexpr std::size_t trace_length = 32;
constexpr std::size_t parent_at = 36;
constexpr std::size_t parent_length = 16;
constexpr std::size_t flags_at = 53;

bool is_digit(char each) { return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f'); }

// All zeros are not a valid id.
bool is_id(std::string_view text)
{
    return std::ranges::all_of(text, is_digit) && text.find_first_not_of('0') != text.npos;
}

bool is_valid(std::string_view text)
{
    if (text.size() < whole_length || !is_digit(text[0]) || !is_digit(text[1])) return false;
    const std::string_view version = text.substr(0, 2);
    if (version == "ff") return false;
    // Later versions may have more fields after these four.
    if (text.size() > whole_length && (version == "00" || text[whole_length] != '-')) return false;
    return text[2] == '-' && text[parent_at - 1] == '-' && text[flags_at - 1] == '-' &&
           is_id(text.substr(trace_at, trace_length)) &&
           is_id(text.substr(parent_at, parent_length)) && is_digit(text[flags_at]) &&
           is_digit(text[flags_at + 1]);
}

}  // namespace

std::string traceparent(const http::RequestHead& head)
{
    const auto given = head.field("traceparent");
    if (!given || !is_valid(*given)) return {};
    return "00" + std::string(given->substr(2, whole_length - 2));
}

std::string_view trace_id(std::string_view traceparent)
{
    return traceparent.empty() ? traceparent : traceparent.substr(trace_at, trace_length);
}

}  // namespace parley::api
