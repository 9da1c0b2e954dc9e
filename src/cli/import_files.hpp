// The files of an export, one after another: one file, the files of a folder, or those of a ZIP
// archive.
#pragma once

#include "base/error.hpp"
#include "moving/zip.hpp"

#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

namespace parley::cli {

class ImportFiles {
public:
    // Fails with a message for people.
    static Result<ImportFiles> find(const std::filesystem::path& path);

    struct File {
        std::string name;  // For people.
        std::istream* in = nullptr;
    };
    // Valid until the next call; nothing at the end. Fails with a message for people.
    Result<std::optional<File>> next();

private:
    Result<> open_archive(const std::filesystem::path& path);
    Result<File> next_of_archive();

    std::deque<std::filesystem::path> paths_;
    // The file in hand; behind a pointer, so that an archive does not lose it.
    std::unique_ptr<std::ifstream> file_;
    std::string name_;
    std::optional<moving::Zip> archive_;
    std::deque<moving::ZipEntry> entries_;
    std::unique_ptr<std::istream> entry_;
};

}  // namespace parley::cli
