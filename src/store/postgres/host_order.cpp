#include "store/postgres/host_order.hpp"

#include "store/postgres/library.hpp"

#include <string_view>

namespace parley::store::postgres {
namespace {

// The list, beginning with another of its items.
std::string rotated(std::string_view list, std::size_t first)
{
    std::string_view last_ones = list;
    std::size_t count = 1;
    for (const char each : list) count += each == ',';
    for (first %= count; first > 0; --first) last_ones.remove_prefix(last_ones.find(',') + 1);
    if (last_ones.size() == list.size()) return std::string(list);
    const std::string_view first_ones = list.substr(0, list.size() - last_ones.size() - 1);
    return std::string(last_ones) + "," + std::string(first_ones);
}

}  // namespace

HostOrder::Attempt HostOrder::next_attempt(const std::string& url) const
{
    Attempt attempt;
    attempt.first = first_;
    PQconninfoOption* options = libpq().PQconninfoParse(url.c_str(), nullptr);
    if (!options) return attempt;
    for (const PQconninfoOption* option = options; option->keyword; ++option) {
        const std::string_view keyword = option->keyword;
        if (!option->val) continue;
        if (keyword == "host") attempt.host = rotated(option->val, attempt.first);
        if (keyword == "hostaddr") attempt.hostaddr = rotated(option->val, attempt.first);
        if (keyword == "port") attempt.port = rotated(option->val, attempt.first);
    }
    libpq().PQconninfoFree(options);
    return attempt;
}

// Connections that fail at the same time count once.
void HostOrder::failed(const Attempt& attempt)
{
    std::size_t first = attempt.first;
    first_.compare_exchange_strong(first, attempt.first + 1);
}

}  // namespace parley::store::postgres
