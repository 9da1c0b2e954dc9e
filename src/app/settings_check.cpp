// The rules about settings that concern more than one of them.
#include "app/oidc_settings.hpp"
#include "app/settings.hpp"
#include "http/address.hpp"
#include "models/upstream_options.hpp"

#include <sys/stat.h>

namespace parley::app {
namespace {

// False if there is no such file: reading it gives the error.
bool others_may_touch(const std::string& file, mode_t how)
{
    struct stat about{};
    return stat(file.c_str(), &about) == 0 && (about.st_mode & how) != 0;
}

}  // namespace

Result<> check(const Settings& settings)
{
    for (const auto& setting : settings_in_use(settings))
        if (setting.fault)
            if (const auto fault = setting.fault(setting.get(settings)))
                return invalid_request(setting.key + ": " + *fault);
    if (settings.tls.certificate.empty() != settings.tls.key.empty())
        return invalid_request("TLS needs both files: give --tls-cert and --tls-key together.");
    if (!settings.tls.key.empty() && others_may_touch(settings.tls.key, S_IROTH | S_IWOTH))
        return invalid_request("Every user of this machine can read or change the private key " +
                               settings.tls.key + ": run `chmod o-rwx " + settings.tls.key + "`.");
    if (settings.logins.access > settings.logins.refresh)
        return invalid_request(
            "auth.access_ttl_s must not be above auth.refresh_ttl_s: active users would be logged "
            "out, because a login is refreshed when its access token ends.");
    if (!settings.postgres.url.empty() && settings.store_kind == "memory")
        return invalid_request(
            "store.url and store.kind=memory exclude each other; give only one of the two.");
    for (const auto& [name, model] : settings.models.named)
        if (auto checked = models::check_model(name, model); !checked) return checked;
    if (auto checked = check_oidc(settings); !checked) return checked;
    const auto listen = http::parse_address(settings.listen);
    // A server with trusted proxies has one in front, which speaks TLS to the world.
    const bool may_be_plain = settings.allow_plain_http || !settings.trusted_proxies.empty();
    if (settings.tls.certificate.empty() && !listen->address().is_loopback() && !may_be_plain)
        return invalid_request(
            "Plain HTTP on " + settings.listen +
            " would send passwords and tokens readable over the network. Give --tls-cert and "
            "--tls-key, listen on 127.0.0.1 behind a proxy, or set server.trusted_proxies or "
            "server.allow_plain_http=true.");
    return {};
}

}  // namespace parley::app
