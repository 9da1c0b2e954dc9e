#include "cli/import_files.hpp"

#include <algorithm>

namespace parley::cli {
namespace {

Error unusable(const std::string& file, const std::string& why)
{
    return {Errc::invalid_request, file + ": " + why};
}

constexpr const char* nothing_found = "has no conversations*.json, chat-export*.json or *.ndjson";

// Exports have other files, too.
bool has_conversations(const std::filesystem::path& file)
{
    const std::string name = file.filename().string();
    const std::string kind = file.extension().string();
    return kind == ".ndjson" || kind == ".jsonl" ||
           (kind == ".json" &&
            (name.starts_with("conversations") || name.starts_with("chat-export")));
}

}  // namespace

Result<ImportFiles> ImportFiles::find(const std::filesystem::path& path)
{
    ImportFiles files;
    std::error_code missing;
    if (std::filesystem::is_directory(path, missing)) {
        for (const auto& entry : std::filesystem::directory_iterator(path, missing))
            if (entry.is_regular_file(missing) && has_conversations(entry.path()))
                files.paths_.push_back(entry.path());
        std::ranges::sort(files.paths_);
        if (files.paths_.empty()) return unusable(path.string(), nothing_found);
    } else if (!std::filesystem::exists(path, missing)) {
        return unusable(path.string(), "does not exist");
    } else {
        files.paths_.push_back(path);
    }
    return files;
}

Result<std::optional<ImportFiles::File>> ImportFiles::next()
{
    if (entries_.empty() && paths_.empty()) return std::optional<File>();
    if (entries_.empty()) {
        const std::filesystem::path path = std::move(paths_.front());
        paths_.pop_front();
        entry_.reset();
        archive_.reset();
        name_ = path.string();
        file_ = std::make_unique<std::ifstream>(path, std::ios::binary);
        if (!*file_) return unusable(name_, "cannot be opened");
        if (!moving::is_zip(*file_)) return std::optional(File{name_, file_.get()});
        if (auto opened = open_archive(path); !opened) return opened.error();
    }
    auto file = next_of_archive();
    if (!file) return file.error();
    return std::optional(std::move(*file));
}

Result<> ImportFiles::open_archive(const std::filesystem::path& path)
{
    auto archive = moving::Zip::open(*file_);
    if (!archive) return unusable(path.string(), archive.error().message);
    archive_.emplace(std::move(*archive));
    for (const moving::ZipEntry& entry : archive_->entries())
        if (has_conversations(entry.name)) entries_.push_back(entry);
    std::ranges::sort(entries_, {}, &moving::ZipEntry::name);
    if (entries_.empty()) return unusable(path.string(), nothing_found);
    return {};
}

Result<ImportFiles::File> ImportFiles::next_of_archive()
{
    const moving::ZipEntry entry = std::move(entries_.front());
    entries_.pop_front();
    auto stream = archive_->read(entry);
    if (!stream) return unusable(name_, stream.error().message);
    entry_ = std::move(*stream);
    return File{name_ + "/" + entry.name, entry_.get()};
}

}  // namespace parley::cli
