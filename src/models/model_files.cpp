#include "models/model_files.hpp"

#include "engine/models.hpp"
#include "models/model_options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace parley::models {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".gguf";

fs::path folder_of(const fs::path& data) { return data / "models"; }

Error failed_with(const std::string& what, const std::error_code& why)
{
    return Error{Errc::internal, what + ": " + why.message() + "."};
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// models/ in the data directory.
Result<> make_folder(const fs::path& data)
{
    const fs::path folder = folder_of(data);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return failed_with(folder.string() + " cannot be created", last_error());
    return {};
}

Result<> write_to_disk(const fs::path& file)
{
    const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = opened >= 0 && fsync(opened) == 0;
    const auto why = last_error();
    if (opened >= 0) close(opened);
    return synced ? Result<>() : failed_with(file.string() + " cannot be written", why);
}

Result<> bring(const fs::path& source, const fs::path& part, Adding how)
{
    std::error_code failure;
    fs::remove(part, failure);
    if (how == Adding::link) {
        fs::create_symlink(fs::absolute(source), part, failure);
    } else {
        if (how == Adding::move)
            fs::rename(source, part, failure);
        else
            fs::copy_file(source, part, failure);
        if (!failure)
            fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write, failure);
        if (!failure)
            if (auto written = write_to_disk(part); !written) return written;
    }
    return failure ? failed_with(
                         source.string() + " cannot be copied into " + part.parent_path().string(),
                         failure)
                   : Result<>();
}

}  // namespace

fs::path this_program()
{
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path cache_folder(const fs::path& data) { return data / "model-cache"; }

fs::path license_file(const fs::path& data, const std::string& name)
{
    return folder_of(data) / (name + ".license.txt");
}

std::optional<fs::path> embedded_model_file(const fs::path& program)
{
    if (!program.is_absolute()) return {};  // It is not known.
    const fs::path folder = program.parent_path();
    for (const fs::path& models :
         {folder / "models", folder.parent_path() / "share/parley/models"}) {
        fs::path file = models / (std::string(embedded_model) + std::string(ending));
        std::error_code missing;
        if (fs::is_regular_file(file, missing)) return file;
    }
    return {};
}

std::vector<ModelFile> model_files(const fs::path& data)
{
    std::vector<ModelFile> files;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder_of(data), missing)) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ending && is_model_name(name))
            files.push_back({.name = name, .path = entry.path()});
    }
    const bool hidden = std::ranges::any_of(
        files, [](const ModelFile& file) { return file.name == embedded_model; });
    const auto embedded = hidden ? std::nullopt : embedded_model_file(this_program());
    if (embedded)
        files.push_back({.name = std::string(embedded_model), .path = *embedded, .embedded = true});
    std::ranges::sort(files, {}, &ModelFile::name);
    return files;
}

std::optional<ModelFile> find_model_file(const fs::path& data, std::string_view name)
{
    for (auto& file : model_files(data))
        if (file.name == name) return std::move(file);
    return {};
}

Result<ModelFile> add_model_file(const fs::path& data, const fs::path& source,
                                 const std::string& name, Adding how)
{
    if (name == engine::scripted_name || find_model_file(data, name))
        return Error{Errc::conflict,
                     "There is already a model " + name + ": give this one another --name."};
    if (auto made = make_folder(data); !made) return made.error();
    const fs::path file = folder_of(data) / (name + std::string(ending));
    const fs::path part = folder_of(data) / (name + ".part");
    auto brought = bring(source, part, how);
    // Not over one that another command has brought meanwhile.
    if (brought && renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) != 0)
        brought = failed_with(file.string() + " cannot be created", last_error());
    if (!brought) {
        std::error_code ignored;
        fs::remove(part, ignored);
        return brought.error();
    }
    if (auto written = write_to_disk(folder_of(data)); !written) return written.error();
    return ModelFile{.name = name, .path = file};
}

Result<ModelFile> remove_model_file(const fs::path& data, const std::string& name)
{
    auto file = find_model_file(data, name);
    if (!file)
        return Error{Errc::not_found, "There is no model " + name + " in " + data.string() + "."};
    if (file->embedded)
        return Error{Errc::conflict,
                     "The model " + name + " is part of the program and cannot be removed."};
    std::error_code failure;
    fs::remove(file->path, failure);
    if (failure) return failed_with(file->path.string() + " cannot be removed", failure);
    fs::remove(license_file(data, name), failure);
    if (auto written = write_to_disk(folder_of(data)); !written) return written.error();
    return std::move(*file);
}

}  // namespace parley::models
