// A temporary folder for one test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace parley::app {

class FolderForTests {
public:
    FolderForTests()
    {
        std::string name = std::filesystem::temp_directory_path() / "parley-test-XXXXXX";
        if (!mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
        path_ = name;
    }
    FolderForTests(const FolderForTests&) = delete;
    FolderForTests& operator=(const FolderForTests&) = delete;
    ~FolderForTests()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }

    // A file of it, with this text and this mode.
    std::string file(std::string_view name, std::string_view text, unsigned mode = 0600) const
    {
        const auto made = path_ / name;
        std::ofstream(made, std::ios::binary) << text;
        std::filesystem::permissions(made, std::filesystem::perms(mode));
        return made;
    }

private:
    std::filesystem::path path_;
};

}  // namespace parley::app
