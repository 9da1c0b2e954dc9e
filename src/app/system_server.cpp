#include "app/system_server.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::app {
namespace {

namespace fs = std::filesystem;

std::string_view variable(const Environment& environment, std::string_view name)
{
    const auto found = environment.find(name);
    return found == environment.end() ? std::string_view() : found->second;
}

Result<fs::path> absolute_path(const fs::path& chosen)
{
    std::error_code failure;
    const fs::path absolute = fs::absolute(chosen, failure);
    if (failure)
        return Error{Errc::storage_unavailable, "The data directory " + chosen.string() +
                                                    " cannot be used: " + failure.message() + "."};
    const fs::path normal = absolute.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

std::string name_of_user(uid_t user)
{
    const struct passwd* const found = getpwuid(user);
    return found ? found->pw_name : std::to_string(user);
}

Error belongs_to(uid_t owner)
{
    const std::string name = name_of_user(owner);
    return invalid_request("The Parley server of this system belongs to the user " + name +
                           ": run `sudo -u " + name +
                           " parley …`, or give --data DIR for another server.");
}

}  // namespace

Result<fs::path> find_data_directory(std::string_view option, const Environment& environment,
                                     const SystemServer& system)
{
    if (!option.empty()) return absolute_path(option);
    if (const auto named = variable(environment, "PARLEY_DATA"); !named.empty())
        return absolute_path(named);
    struct stat about{};
    if (stat(system.data.c_str(), &about) == 0) {
        if (about.st_uid == geteuid()) return system.data;
        if (geteuid() == 0) return belongs_to(about.st_uid);
    }
    const fs::path data_home = variable(environment, "XDG_DATA_HOME");
    if (data_home.is_absolute())
        return absolute_path(data_home / "parley");  // Others are to be ignored.
    const fs::path home = variable(environment, "HOME");
    if (home.is_absolute()) return absolute_path(home / ".local/share/parley");
    return invalid_request(
        "There is no home directory for the data; give --data DIR, or set PARLEY_DATA.");
}

std::string default_config_file(const fs::path& data, const SystemServer& system)
{
    std::error_code unknown;
    return data == system.data && fs::exists(system.config, unknown) ? system.config.string()
                                                                     : std::string();
}

}  // namespace parley::app
