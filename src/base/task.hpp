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

// What to pass to an asynchronous operation of Asio inside a Task.
inline constexpr boost::asio::use_awaitable_t<Executor> awaiting;

// Runs blocking work (a query, a password hash) on `pool` and resumes the caller on its own loop.
// What the work throws, the caller catches. The work must return a value that can be moved.
template <class Work>
Task<std::invoke_result_t<Work>> offload(boost::asio::thread_pool& pool, Work work)
{
    using Outcome = std::variant<std::exception_ptr, std::invoke_result_t<Work>>;
    auto start = [&pool](auto handler, Work job) {
        auto loop = boost::asio::get_associated_executor(handler);
        boost::asio::post(pool, [handler = std::move(handler), job = std::move(job),
                                 guard = boost::asio::make_work_guard(loop)]() mutable {
            Outcome outcome;
            try {
                outcome.template emplace<1>(job());
            } catch (...) {
                outcome = std::current_exception();
            }
            boost::asio::post(guard.get_executor(), [handler = std::move(handler),
                                                     outcome = std::move(outcome)]() mutable {
                std::move(handler)(std::move(outcome));
            });
        });
    };
    Outcome outcome =
        co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<Executor>&,
                                             void(Outcome)>(std::move(start), awaiting,
                                                            std::move(work));
    if (const auto* failure = std::get_if<0>(&outcome)) std::rethrow_exception(*failure);
    co_return std::get<1>(std::move(outcome));
}

}  // namespace parley
