// The result of a function that mostly has its value at once, and sometimes must wait for it. A
// task would cost an allocation each time; a Ready costs one only if there is something to wait
// for:
//
//   auto found = cache.find(key);  // Ready<Entry>
//   const Entry entry = found.is_ready() ? found.take() : co_await found.wait();
//
// Asio's coroutines can await nothing but tasks without suspending, hence the two calls.
#pragma once

#include "base/task.hpp"

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace parley {

template <class T>
class [[nodiscard]] Ready {
public:
    template <class Value>
        requires std::constructible_from<T, Value> &&
                 (!std::same_as<std::remove_cvref_t<Value>, Ready>) &&
                 (!std::same_as<std::remove_cvref_t<Value>, Task<T>>)
    Ready(Value&& value) : held_(std::in_place_index<0>, std::forward<Value>(value))
    {
    }
    Ready(Task<T> task) : held_(std::in_place_index<1>, std::move(task)) {}

    bool is_ready() const { return held_.index() == 0; }

    // Once, and only if it is ready.
    T take() { return std::get<0>(std::move(held_)); }

    // Once. If it is ready, the task has the value at once: for callers to whom an allocation does
    // not matter.
    Task<T> wait()
    {
        if (is_ready()) return at_once(take());
        return std::get<1>(std::move(held_));
    }

private:
    static Task<T> at_once(T value) { co_return std::move(value); }

    std::variant<T, Task<T>> held_;
};

}  // namespace parley
