// Shared by the tests of the journal in files: a temporary folder, and journals that are opened in
// it.
#pragma once

#include "journal/file/file_journal.hpp"
#include "journal/journal_for_tests.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdlib.h>

namespace parley::journal::file {

inline std::string bytes_of(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

// Valid during its lifetime.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = testing::TempDir() + "parley-journal-XXXXXX";
        path_ = ::mkdtemp(name.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

class FileJournalTest : public JournalTest {
protected:
    ~FileJournalTest() override { journal.reset(); }

    void open(Options options = {})
    {
        journal.reset();
        auto opened = FileJournal::open(folder, options);
        ASSERT_TRUE(opened) << opened.error().message;
        journal = std::move(*opened);
    }

    // In order, by name.
    std::vector<std::filesystem::path> files() const
    {
        std::vector<std::filesystem::path> all;
        for (const auto& each : std::filesystem::directory_iterator(folder))
            all.push_back(each.path());
        std::ranges::sort(all);
        return all;
    }

    // Waits until the writer is idle.
    void settle()
    {
        static_cast<void>(append("settle", 1, ""));
        journal->end("settle");
        static_cast<void>(append("settle", 1, ""));
        journal->end("settle");
    }

    const TemporaryFolder temporary;
    const std::filesystem::path root = temporary.path();
    const std::filesystem::path folder = root / "journal";
};

}  // namespace parley::journal::file
