#include "cli/api_client.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include <boost/json.hpp>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace parley::cli {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& file, const std::string& why)
{
    return {Errc::internal, "The backup " + file.string() + " cannot be written: " + why + "."};
}

bool sync(const fs::path& path)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    return done;
}

// Unlike rename(), never over a file that was created meanwhile, or a symbolic link to nothing.
std::error_code rename_to_new(const fs::path& from, const fs::path& to)
{
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
    if (errno != EINVAL && errno != ENOSYS) return {errno, std::generic_category()};
    // Some file systems, such as NFS and exFAT, cannot do that: an empty file reserves the name.
    const int reserved = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (reserved < 0) return {errno, std::generic_category()};
    close(reserved);
    std::error_code failure;
    fs::rename(from, to, failure);
    std::error_code ignored;
    if (failure) fs::remove(to, ignored);  // Otherwise a second attempt finds the name taken.
    return failure;
}

// Moves the file from the server's directory to its destination, perhaps on another disk. It gets
// its name only when it is complete.
Result<> move_file(const fs::path& from, const fs::path& to)
{
    std::error_code failure = rename_to_new(from, to);
    std::error_code ignored;
    if (failure == std::errc::cross_device_link) {
        fs::path part = to;
        part += "." + std::to_string(getpid()) + ".part";  // Not that of another command.
        failure.clear();
        fs::copy_file(from, part, failure);
        if (!failure)
            fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write, failure);
        if (!failure && !sync(part)) failure = std::error_code(errno, std::generic_category());
        if (!failure) failure = rename_to_new(part, to);
        fs::remove(failure ? part : from, ignored);
    }
    if (failure) {
        fs::remove(from, ignored);
        return cannot_write(to, failure.message());
    }
    if (!sync(fs::absolute(to).parent_path()))
        return cannot_write(to, std::generic_category().message(errno));
    return {};
}

Result<std::uint64_t> back_up(const fs::path& file, const Common& common)
{
    if (fs::exists(file))
        return Error{Errc::conflict,
                     file.string() + " already exists; give the backup another name."};
    auto api = connect(common);
    if (!api) return api.error();
    const Progress progress("Copying");
    const auto made = api->ask("POST", "/v1/api/backups");
    if (!made) return made.error();
    const fs::path name = boost::json::value_to<std::string>(made->at("file"));
    if (auto moved = move_file(api->paths.directory / name.filename(), file); !moved)
        return moved.error();
    return static_cast<std::uint64_t>(made->at("bytes").as_int64());
}

}  // namespace

Run describe_backup(CLI::App& command, const Common& common)
{
    const auto file = std::make_shared<std::string>();
    command.add_option("FILE", *file, "File to create; it must not exist")->required();
    command.footer(
        "The server keeps running; the copy is a snapshot of one moment.\n"
        "Examples:\n"
        "  parley backup parley-$(date +%F).db\n"
        "  parley backup --data /var/lib/parley /backup/parley.db");
    return [file, &common] {
        const auto size = back_up(*file, common);
        if (!size) return complain(size.error().message, failed, common);
        if (common.json)
            print_line({{"file", *file}, {"bytes", *size}});
        else
            std::cout << "Backed up to " << *file << " (" << *size << " bytes).\n";
        return succeeded;
    };
}

}  // namespace parley::cli
