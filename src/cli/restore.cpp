#include "app/data_directory.hpp"
#include "app/store_settings.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/settings_options.hpp"
#include "store/sqlite/backup.hpp"
#include "store/sqlite/opening.hpp"
#include "store/transfer/transfer.hpp"

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

// The data directory has the copy of the backup that is read.
Result<std::string> restore_to_postgres(const std::string& backup, const app::Settings& settings,
                                        const app::DataPaths& paths)
{
    const auto options = app::postgres_options(settings);
    if (!options) return options.error();
    const auto name = store::postgres::name_of_database(options->url);
    if (!name) return name.error();
    auto directory = app::DataDirectory::open(paths.directory);
    if (!directory) return directory.error();
    const Progress progress("Restoring");
    const auto restored =
        store::transfer::copy_to_postgres(backup, *options, paths.directory / "restored.db");
    if (!restored) return restored.error();
    return "the PostgreSQL database " + *name;
}

// Returns the place.
Result<std::string> restore(const std::string& backup, const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const app::DataPaths paths{settings->data};
    if (!fs::exists(backup)) return Error{Errc::not_found, "There is no file " + backup + "."};
    const auto holder = app::holder_of(paths);
    if (!holder) return holder.error();
    if (*holder)
        return Error{Errc::conflict, "Another Parley (process " + std::to_string((*holder)->pid) +
                                         ") uses " + paths.directory.string() +
                                         "; stop it, or give another --data."};
    if (!settings->postgres.url.empty()) return restore_to_postgres(backup, *settings, paths);
    if (has_data(paths))
        return Error{Errc::conflict,
                     paths.directory.string() +
                         " is not empty; give an empty or new directory with --data."};
    auto directory = app::DataDirectory::open(paths.directory);
    if (!directory) return directory.error();
    const Progress progress("Restoring");
    const auto restored = store::sqlite::restore_database(backup, paths.database());
    if (!restored) return restored.error();
    return paths.directory.string();
}

}  // namespace

Run describe_restore(CLI::App& command, const Common& common)
{
    const auto backup = std::make_shared<std::string>();
    command.add_option("FILE", *backup, "A backup made by `parley backup`")->required();
    command.footer(
        "The data directory must be empty or missing, and no server may run on it; with store.url, "
        "the database must have no users.\n"
        "Examples:\n"
        "  parley restore parley-2026-01-31.db --data /var/lib/parley\n"
        "  parley restore parley-2026-01-31.db --set store.url=postgresql://parley@db/parley");
    return [backup, &common] {
        const auto place = restore(*backup, common);
        if (!place) return complain(place.error().message, failed, common);
        if (common.json)
            print_line({{"restored", *place}});
        else
            std::cout << "Restored into " << *place << ".\n";
        return succeeded;
    };
}

}  // namespace parley::cli
