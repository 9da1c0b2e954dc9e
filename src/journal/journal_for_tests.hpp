// Shared by tests of journals: a loop to wait on, and helpers that fill and read a journal.
#pragma once

#include "journal/journal.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <array>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::journal {

using Texts = std::vector<std::string>;

inline Frame frame(std::string bytes)
{
    return std::make_shared<const std::string>(std::move(bytes));
}

inline std::array<Frame, 1> one(std::string bytes) { return {frame(std::move(bytes))}; }

class JournalTest : public testing::Test {
protected:
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
        return wait_for(journal->append(run, number, one(std::move(bytes))));
    }

    // All events of a run, page by page, as text; "?" if the run is unknown.
    Texts read(std::string_view run, std::uint32_t after = 0, std::size_t max_bytes = 100)
    {
        Texts all;
        for (;;) {
            const auto page = wait_for(journal->read(run, after, max_bytes));
            if (!page) return {"?"};
            if (page->empty()) return all;
            for (const Record& record : *page) all.push_back(record.bytes);
            after = page->back().number;
        }
    }

    std::optional<RunState> state(std::string_view run)
    {
        return wait_for(journal->state(run)).value();
    }
    // The last number of each of these runs in the journal.
    std::map<std::string, std::uint32_t> last_numbers(const std::vector<std::string>& runs)
    {
        std::map<std::string, std::uint32_t> numbers;
        for (const std::string& run : runs)
            if (const auto known = state(run)) numbers[run] = known->last;
        return numbers;
    }

    boost::asio::io_context waiting{1};  // Loops outlive the journal.
    std::unique_ptr<Journal> journal;
};

}  // namespace parley::journal
