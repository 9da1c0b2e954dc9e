#include "app/data_directory.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/settings_options.hpp"
#include "store/sqlite/backup.hpp"
#include "store/sqlite/opening.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {
namespace {

namespace fs = std::filesystem;

// A lock that is not held is not data, and neither are the remains of an interrupted restore.
bool has_data(const app::DataPaths& paths)
{
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(paths.directory, missing))
        if (entry.path() != paths.lock() &&
            !entry.path().string().starts_with(
                store::sqlite::unfinished(paths.database()).string()))
            return true;
    return false;
}

Result<fs::path> restore(const std::string& backup, const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    if (!settings->postgres.url.empty())
        return Error{Errc::not_implemented,
                     "A PostgreSQL database (store.url) is restored with its own tools: "
                     "pg_restore."};
    const app::DataPaths paths{settings->data};
    if (!fs::exists(backup)) return Error{Errc::not_found, "There is no file " + backup + "."};
    const auto holder = app::holder_of(paths);
    if (!holder) return holder.error();
    if (*holder)
        return Error{Errc::conflict, "Another Parley (process " + std::to_string((*holder)->pid) +
                                         ") uses " + paths.directory.string() +
                                         "; stop it, or give another --data."};
    if (has_data(paths))
        return Error{Errc::conflict,
                     paths.directory.string() +
                         " is not empty; give an empty or new directory with --data."};
    auto directory = app::DataDirectory::open(paths.directory);
    if (!directory) return directory.error();
    const Progress progress("Restoring");
    const auto restored = store::sqlite::restore_database(backup, paths.database());
    if (!restored) return restored.error();
    return paths.directory;
}

}  // namespace

Run describe_restore(CLI::App& command, const Common& common)
{
    const auto backup = std::make_shared<std::string>();
    command.add_option("FILE", *backup, "A backup made by `parley backup`")->required();
    command.footer(
        "The data directory must be empty or missing, and no server may run on it.\n"
        "Examples:\n"
        "  parley restore parley-2026-01-31.db --data /var/lib/parley");
    return [backup, &common] {
        const auto directory = restore(*backup, common);
        if (!directory) return complain(directory.error().message, failed, common);
        if (common.json)
            print_line({{"restored", directory->string()}});
        else
            std::cout << "Restored into " << directory->string() << ".\n";
        return succeeded;
    };
}

}  // namespace parley::cli
