// Drives tasks to their end on the calling thread, which waits: for the command line, which has no
// event loop to keep, and for tests.
#pragma once

#include "base/task.hpp"

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace parley {

// All of them begin before the first goes on. What a task throws, this throws.
template <class T>
std::vector<T> run_all(std::vector<Task<T>> tasks)
{
    boost::asio::io_context context{1};
    std::vector<std::optional<T>> results(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i)
        boost::asio::co_spawn(context, std::move(tasks[i]),
                              [&result = results[i]](std::exception_ptr failure, T value) {
                                  if (failure) std::rethrow_exception(failure);
                                  result = std::move(value);
                              });
    context.run();
    std::vector<T> values;
    for (std::optional<T>& result : results) {
        if (!result) throw std::logic_error("a task waits for something that never comes");
        values.push_back(std::move(*result));
    }
    return values;
}

template <class T>
T run(Task<T> task)
{
    std::vector<Task<T>> tasks;
    tasks.push_back(std::move(task));
    return std::move(run_all(std::move(tasks)).front());
}

}  // namespace parley
