#include "app/store_settings.hpp"

#include "app/setting_kinds.hpp"
#include "app/settings_text.hpp"
#include "base/secret_file.hpp"

namespace parley::app {
namespace {

constexpr std::size_t longest_password = 4096;
constexpr std::string_view hidden = "***";

Error refused(const std::string& why) { return invalid_request("store.password_file: " + why); }

Result<Secret> password_from(const std::string& file)
{
    const auto all = read_secret_file(file, longest_password, Privacy::none);
    if (!all) return refused(all.error().message);
    const std::string_view first = all->reveal().substr(0, all->reveal().find_first_of("\r\n"));
    if (first.empty())
        return refused(in_quotes(file) + " cannot be read, or its first line is empty.");
    return Secret(first);
}

}  // namespace

std::optional<std::string> fault_of_store_url(const std::string& url)
{
    if (url.empty() || url.starts_with("postgresql://") || url.starts_with("postgres://"))
        return std::nullopt;
    return "must begin with postgresql://, such as postgresql://parley@db.example.org/parley.";
}

std::string without_password(std::string_view url)
{
    std::string shown(url);
    const std::size_t scheme = shown.find("://");
    if (scheme == shown.npos) return shown.empty() ? shown : std::string(hidden);
    const std::size_t host = scheme + 3;
    // A password may contain any character that is not encoded, so the last @ counts.
    const std::size_t at = shown.rfind('@');
    const std::size_t colon = shown.find(':', host);
    if (at != shown.npos && colon < at) shown.replace(colon + 1, at - colon - 1, hidden);
    for (const std::string_view name : {"password=", "sslpassword="}) {
        for (std::size_t found = shown.find(name); found != shown.npos;
             found = shown.find(name, found + name.size())) {
            const std::size_t begin = found + name.size();
            shown.replace(begin, std::min(shown.find('&', begin), shown.size()) - begin, hidden);
        }
    }
    return shown;
}

Result<store::postgres::Options> postgres_options(const Settings& settings)
{
    store::postgres::Options options = settings.postgres;
    if (!settings.store_password_file.empty()) {
        auto password = password_from(settings.store_password_file);
        if (!password) return password.error();
        options.password = std::make_shared<const Secret>(std::move(*password));
    }
    return options;
}

Setting store_url_setting()
{
    Setting made = setting_kinds::plain<std::string>(
        "store.url", setting_kinds::at(&Settings::postgres, &store::postgres::Options::url),
        "the URL of a PostgreSQL database",
        "PostgreSQL database, e.g. postgresql://parley@db.example.org/parley; empty: a file in the "
        "data directory.",
        fault_of_store_url);
    made.without_secret = [](const Settings& settings) {
        return SettingValue(without_password(settings.postgres.url));
    };
    return made;
}

Setting store_password_file_setting()
{
    return setting_kinds::text(
        "store.password_file", setting_kinds::at(&Settings::store_password_file),
        "File whose first line is the password of the PostgreSQL user; mode 0600.");
}

Setting store_connections_setting()
{
    return setting_kinds::number(
        "store.connections",
        setting_kinds::at(&Settings::postgres, &store::postgres::Options::connections), 2, 500,
        "Connections of this server to PostgreSQL for data; it opens up to 8 more.");
}

Setting cluster_name_setting()
{
    return setting_kinds::text(
        "cluster.name", setting_kinds::at(&Settings::cluster_name),
        "Name of this server among those that share store.url; empty: its host and address.");
}

Setting cluster_max_concurrent_setting()
{
    return setting_kinds::number(
        "cluster.max_concurrent",
        setting_kinds::at(&Settings::runs, &chat::RunOptions::max_of_all_servers), 0, 100'000,
        "With store.url: runs answered at the same time on all servers together; further ones are "
        "queued. 0: as many as runs.max_concurrent allows on each server.");
}

Setting cluster_drain_setting()
{
    return setting_kinds::number("cluster.drain_s", setting_kinds::at(&Settings::drain), 0, 600,
                                 "With store.url: seconds after SIGTERM in which requests are "
                                 "still served, while /lbz tells "
                                 "load balancers to send no more.");
}

}  // namespace parley::app
