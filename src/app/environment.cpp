#include "app/environment.hpp"

#include "app/settings.hpp"
#include "base/suggest.hpp"

#include <algorithm>
#include <array>
#include <unistd.h>

namespace parley::app {
namespace {

constexpr std::string_view prefix = "PARLEY_";
constexpr std::array<std::string_view, 4> not_settings = {"PARLEY_DATA", "PARLEY_CACHE",
                                                          "PARLEY_BINARY", "PARLEY_TOKEN"};

// PARLEY_SERVICE_HOST, PARLEY_REDIS_SERVICE_PORT_HTTP, PARLEY_PORT=tcp://10.0.0.1:80,
// PARLEY_PORT_80_TCP_ADDR: Kubernetes and Docker set these, not the operator.
bool is_service_link(std::string_view name, std::string_view value)
{
    if (name.ends_with("_SERVICE_HOST") || name.find("_SERVICE_PORT") != name.npos) return true;
    for (const std::string_view protocol : {"_TCP", "_UDP", "_SCTP"}) {
        const std::size_t at = name.find(protocol);
        if (at == name.npos || name.find("_PORT_") == name.npos) continue;
        const std::string_view rest = name.substr(at + protocol.size());
        if (rest.empty() || rest == "_PROTO" || rest == "_PORT" || rest == "_ADDR") return true;
    }
    return name.ends_with("_PORT") && value.find("://") != value.npos;
}

}  // namespace

Environment environment_of_process()
{
    Environment environment;
    for (char** each = environ; each && *each; ++each) {
        const std::string_view entry = *each;
        const std::size_t equals = entry.find('=');
        if (equals != entry.npos)
            environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return environment;
}

std::string variable_of(std::string_view key)
{
    std::string name(prefix);
    for (const char each : key)
        name += each == '.' ? '_' : each >= 'a' && each <= 'z' ? char(each - 32) : each;
    return name;
}

Result<> check_variables(const Environment& environment)
{
    std::vector<std::string> ours(not_settings.begin(), not_settings.end());
    for (const auto& setting : all_settings()) ours.push_back(variable_of(setting.key));
    const std::vector<std::string_view> known(ours.begin(), ours.end());
    for (const auto& [name, value] : environment) {
        if (!name.starts_with(prefix) || std::ranges::find(known, name) != known.end() ||
            is_service_link(name, value))
            continue;
        // Without the prefix, which all of them share and which would make all of them near.
        std::vector<std::string_view> ends;
        ends.reserve(known.size());
        for (const auto each : known) ends.push_back(each.substr(prefix.size()));
        const auto near = suggest(std::string_view(name).substr(prefix.size()), ends);
        return invalid_request(
            "The environment variable " + name + " is not a setting of Parley." +
            (near ? " Did you mean PARLEY_" + std::string(*near) + "?"
                  : " Unset it; `parley serve --help-settings` lists all settings."));
    }
    return {};
}

}  // namespace parley::app
