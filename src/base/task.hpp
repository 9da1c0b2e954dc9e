// Asynchronous functions of this service are coroutines that return a Task. A task runs on one
// event loop from beginning to end; the executor is a concrete type, so that no call is erased.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace parley {

using Executor = boost::asio::io_context::executor_type;

template <class T = void>
using Task = boost::asio::awaitable<T, Executor>;

// The completion token for asynchronous operations of Asio inside a Task.
inline constexpr boost::asio::use_awaitable_t<Executor> awaiting;

// The other end of a task that waits for a value: called once, from any thread, it resumes the task
// with the value, on the task's own loop. It must be called: otherwise the task never ends.
template <class T>
class Completion {
public:
    using Handler = typename boost::asio::async_result<boost::asio::use_awaitable_t<Executor>,
                                                       void(T)>::handler_type;

    explicit Completion(Handler handler)
        : loop_(boost::asio::make_work_guard(boost::asio::get_associated_executor(handler))),
          handler_(std::move(handler))
    {
    }

    void operator()(T value) &&
    {
        boost::asio::post(loop_.get_executor(),
                          [handler = std::move(handler_), value = std::move(value)]() mutable {
                              std::move(handler)(std::move(value));
                          });
    }

private:
    boost::asio::executor_work_guard<Executor> loop_;  // The loop does not end before the call.
    Handler handler_;
};

// Hands `start` a Completion<T> and waits until it was called.
template <class T, class Start>
Task<T> await_callback(Start start)
{
    co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<Executor>&,
                                                   void(T)>(
        [](auto handler, Start begin) { begin(Completion<T>(std::move(handler))); }, awaiting,
        std::move(start));
}

// Runs blocking work (a query, a password hash) on `pool` and resumes the caller on its own loop.
// Exceptions of the work are rethrown in the caller. The work must return a movable value.
template <class Work>
Task<std::invoke_result_t<Work>> offload(boost::asio::thread_pool& pool, Work work)
{
    using Outcome = std::variant<std::exception_ptr, std::invoke_result_t<Work>>;
    Outcome outcome = co_await await_callback<Outcome>(
        [&pool, job = std::move(work)](Completion<Outcome> answer) mutable {
            boost::asio::post(pool, [answer = std::move(answer), job = std::move(job)]() mutable {
                Outcome result;
                try {
                    result.template emplace<1>(job());
                } catch (...) {
                    result = std::current_exception();
                }
                std::move(answer)(std::move(result));
            });
        });
    if (const auto* failure = std::get_if<0>(&outcome)) std::rethrow_exception(*failure);
    co_return std::get<1>(std::move(outcome));
}

}  // namespace parley
