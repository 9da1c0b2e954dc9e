// The settings of webhooks.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace parley::webhook {

struct Options {
    std::size_t max_per_user = 10;
    std::size_t max_concurrent = 4;    // Deliveries that are sent to one webhook at the same time.
    std::chrono::seconds timeout{15};  // Until the head of a response.
    bool allow_http = false;
    std::vector<std::string> allowed_networks;  // That are not public but may have webhooks.
    std::string ca_file;                        // Empty: the authorities of the system.
};

}  // namespace parley::webhook
