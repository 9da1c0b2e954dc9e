// What the tests of the journal share: a folder that goes away, a loop to wait on, and journals
// that are opened, filled and read in one line.
#pragma once

#include "journal/journal.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdlib.h>
#include <string>
#include <vector>

namespace parley::journal {

inline Frame frame(std::string bytes)
{
    return std::make_shared<const std::string>(std::move(bytes));
}

inline std::string bytes_of(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

class JournalTest : public testing::Test {
protected:
    JournalTest()
    {
        std::string name = testing::TempDir() + "parley-journal-XXXXXX";
        root = ::mkdtemp(name.data());
        folder = root / "journal";
    }
    ~JournalTest() override
    {
        journal.reset();
        std::filesystem::remove_all(root);
    }

    void open(Options options = {})
    {
        journal.reset();
        auto opened = Journal::open(folder, options);
        ASSERT_TRUE(opened) << opened.error().message;
        journal = std::move(*opened);
    }

    // Runs a task to its end.
    template <class T>
    T wait_for(Task<T> task)
    {
        std::optional<T> result;
        std::exception_ptr failure;
        boost::asio::co_spawn(waiting, std::move(task), [&](std::exception_ptr thrown, T value) {
            failure = thrown;
            result.emplace(std::move(value));
        });
        waiting.restart();
        waiting.run();
        if (failure) std::rethrow_exception(failure);
        return std::move(*result);
    }

    Result<> append(std::string_view run, std::uint32_t number, std::string bytes)
    {
        return wait_for(journal->append(run, number, frame(std::move(bytes))));
    }

    // All of a run's events from page to page, as text; "?" if it is not there.
    std::vector<std::string> read(std::string_view run, std::uint32_t after = 0,
                                  std::size_t max_bytes = 100)
    {
        std::vector<std::string> all;
        for (;;) {
            const auto page = wait_for(journal->read(run, after, max_bytes));
            if (!page) return {"?"};
            if (page->empty()) return all;
            for (const Record& record : *page) all.push_back(*record.frame);
            after = page->back().number;
        }
    }

    std::map<std::string, std::uint32_t> last_numbers() const
    {
        std::map<std::string, std::uint32_t> numbers;
        for (const RunState& state : journal->runs()) numbers[state.run] = state.last;
        return numbers;
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

    // Until the writer has done all that it was asked for.
    void settle()
    {
        static_cast<void>(append("settle", 1, ""));
        journal->end("settle");
        static_cast<void>(append("settle", 1, ""));
        journal->end("settle");
    }

    boost::asio::io_context waiting{1};  // Loops outlive the journal.
    std::filesystem::path root;
    std::filesystem::path folder;
    std::unique_ptr<Journal> journal;
};

using Texts = std::vector<std::string>;

}  // namespace parley::journal
