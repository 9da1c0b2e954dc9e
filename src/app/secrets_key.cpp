#include "app/secrets_key.hpp"

#include "base/block_on.hpp"

#include <fstream>
#include <sys/stat.h>

namespace parley::app {
namespace {

constexpr std::size_t least_key = 32;
constexpr std::size_t most_key = 4096;

Result<Secret> read_key(const std::string& file)
{
    const auto refused = [&](const std::string& why) {
        return Error{Errc::internal, "secrets.key_file " + file + ": " + why};
    };
    struct stat about{};
    if (::stat(file.c_str(), &about) != 0) return refused("cannot be read.");
    if ((about.st_mode & (S_IROTH | S_IWOTH)) != 0)
        return refused("every user of this machine can read or change it: run `chmod o-rwx " +
                       file + "`.");
    std::ifstream in(file, std::ios::binary);
    std::string bytes(most_key, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    if (bytes.size() < least_key) return refused("must have at least 32 bytes.");
    return Secret::taken_from(bytes);
}

}  // namespace

Result<Secret> secrets_key(const Settings& settings, store::Store& store)
{
    if (!settings.secrets_key_file.empty()) return read_key(settings.secrets_key_file);
    return block_on(store.keys().key_for("webhook secrets"));
}

}  // namespace parley::app
