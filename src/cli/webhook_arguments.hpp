// The arguments of `parley webhook`, and the subcommands about deliveries, which have a file of
// their own.
#pragma once

#include "cli/subcommands.hpp"
#include "cli/user_access.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::cli {

struct WebhookArguments {
    std::string user;
    bool test = false;
    std::string webhook;  // Its id, or its URL.
    std::string url;
    std::vector<std::string> types;
    std::string payload;
    bool ordered = false;
    std::string description;
    std::int64_t overlap_s = 86'400;
    bool yes = false;
    // About deliveries:
    std::string delivery;  // dlv_…
    std::string status;
    std::int64_t limit = 20;
    std::int64_t after = 0;
    std::optional<std::int64_t> until;
    bool all = false;
};

// A server, as the user whose webhooks they are.
struct WebhookAccess {
    UserAccess access;
    ApiClient client;

    // By its id or its URL. Fails with a message if there is none, or if several have the URL.
    Result<boost::json::object> find(const std::string& webhook);
};
Result<WebhookAccess> open_webhooks(const WebhookArguments& asked, const Common& common);

std::string path_of_webhook(const boost::json::object& webhook);

void add_delivery_subcommands(Subcommands<WebhookArguments>& verbs);

}  // namespace parley::cli
