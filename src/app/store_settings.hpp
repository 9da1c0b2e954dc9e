// The settings of a PostgreSQL store (store.url). Its password never appears in a message, a log
// line or a list of settings.
#pragma once

#include "app/settings.hpp"
#include "store/postgres/options.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley::app {

// The fault of a value of store.url, without the value.
std::optional<std::string> fault_of_store_url(const std::string& url);

// The URL with *** instead of its password.
std::string without_password(std::string_view url);

// Reads the password file. Fails with a message for the operator.
Result<store::postgres::Options> postgres_options(const Settings& settings);

// store.url, shown without its password.
Setting store_url_setting();
Setting store_password_file_setting();
Setting store_connections_setting();

// Settings of servers that share the database.
Setting cluster_name_setting();
Setting cluster_max_concurrent_setting();
Setting cluster_drain_setting();

}  // namespace parley::app
