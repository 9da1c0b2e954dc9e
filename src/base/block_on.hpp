// Runs tasks to their end on the calling thread, which waits: for the command line, which has no
// event loop, and for tests.
#pragma once

#include "base/task.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace parley {

// All tasks begin before the first one continues. Throws what a task throws, and std::logic_error
// if a task waits for something that never comes.
void block_on_each(std::vector<Task<>> tasks);

// The tasks are wrapped, so that the expensive part of Asio is compiled once, not for each type of
// value.
template <class T>
std::vector<T> block_on_all(std::vector<Task<T>> tasks)
{
    std::vector<std::optional<T>> results(tasks.size());
    std::vector<Task<>> kept;
    const auto keep = [](Task<T> task, std::optional<T>& result) -> Task<> {
        result.emplace(co_await std::move(task));
    };
    kept.reserve(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i)
        kept.push_back(keep(std::move(tasks[i]), results[i]));
    block_on_each(std::move(kept));

    std::vector<T> values;
    values.reserve(results.size());
    for (std::optional<T>& result : results) values.push_back(std::move(*result));
    return values;
}

template <class T>
T block_on(Task<T> task)
{
    std::vector<Task<T>> tasks;
    tasks.push_back(std::move(task));
    return std::move(block_on_all(std::move(tasks)).front());
}

}  // namespace parley
