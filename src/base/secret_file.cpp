#include "base/secret_file.hpp"

#include "base/escape_control.hpp"

#include <fstream>
#include <sys/stat.h>

namespace parley {

Result<Secret> read_secret_file(const std::string& file, std::size_t most, Privacy privacy)
{
    struct stat about{};
    if (stat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode))
        return invalid_request("there is no file " + in_quotes(file) + ".");
    if (privacy == Privacy::none && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return invalid_request("other users can read or change " + in_quotes(file) +
                               ": run `chmod 600 " + file + "`.");
    if (privacy == Privacy::group && (about.st_mode & (S_IROTH | S_IWOTH)) != 0)
        return invalid_request("every user of this machine can read or change " + in_quotes(file) +
                               ": run `chmod o-rwx " + file + "`.");
    std::ifstream in(file, std::ios::binary);
    std::string bytes(most, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    if (bytes.empty()) return invalid_request(in_quotes(file) + " cannot be read, or is empty.");
    return Secret::taken_from(bytes);
}

}  // namespace parley
