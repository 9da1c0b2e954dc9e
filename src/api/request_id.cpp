#include "api/request_id.hpp"

#include "base/id.hpp"

#include <string_view>

namespace parley::api {
namespace {

constexpr std::size_t max_request_id_length = 64;

bool is_request_id(std::string_view text)
{
    constexpr std::string_view allowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    return !text.empty() && text.size() <= max_request_id_length &&
           text.find_first_not_of(allowed) == text.npos;
}

}  // namespace

std::string request_id(const http::RequestHead& head, const Clock& clock)
{
    const auto given = head.field("x-request-id");
    if (given && is_request_id(*given)) return std::string(*given);
    return new_id("req", clock.now());
}

}  // namespace parley::api
