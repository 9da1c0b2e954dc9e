#include "app/secrets_key.hpp"

#include "base/block_on.hpp"
#include "base/escape_control.hpp"
#include "base/secret_file.hpp"

namespace parley::app {
namespace {

constexpr std::size_t least_key = 32;
constexpr std::size_t most_key = 4096;

Result<Secret> read_key(const std::string& file)
{
    auto key = read_secret_file(file, most_key, Privacy::group);
    if (!key) return invalid_request("secrets.key_file: " + key.error().message);
    if (key->reveal().size() < least_key)
        return invalid_request("secrets.key_file: " + in_quotes(file) +
                               " must have at least 32 bytes.");
    return key;
}

}  // namespace

Result<Secret> secrets_key(const Settings& settings, store::Store& store)
{
    if (!settings.secrets_key_file.empty()) return read_key(settings.secrets_key_file);
    return block_on(store.keys().key_for("webhook secrets"));
}

}  // namespace parley::app
