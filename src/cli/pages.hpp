// Goes through a list of the interface, page by page.
#pragma once

#include "cli/api_client.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace parley::cli {

// Calls take(object) for each item, `most` of them at most; it may return false to stop. Begins
// behind the cursor `begin`, if that is not empty.
template <class Take>
Result<> for_each_item(ApiClient& api, const std::string& target, std::int64_t most, Take take,
                       const std::string& begin = {})
{
    constexpr std::int64_t page_size = 100;
    const char* const more = target.find('?') == target.npos ? "?" : "&";
    std::string after = begin.empty() ? "" : "&after=" + begin;
    while (most > 0) {
        std::string page = target;
        page.append(more)
            .append("limit=")
            .append(std::to_string(std::min(most, page_size)))
            .append(after);
        const auto list = api.ask("GET", page);
        if (!list) return list.error();
        for (const auto& item : list->at("data").as_array()) {
            if (!take(item.as_object())) return {};
            --most;
        }
        if (!list->at("has_more").as_bool()) break;
        after = "&after=" + boost::json::value_to<std::string>(list->at("next_cursor"));
    }
    return {};
}

}  // namespace parley::cli
