#include "base/block_on.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <stdexcept>

namespace parley {

void block_on_each(std::vector<Task<>> tasks)
{
    boost::asio::io_context context{1};
    std::size_t ended = 0;
    for (Task<>& task : tasks)
        boost::asio::co_spawn(context, std::move(task), [&ended](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
            ++ended;
        });
    context.run();
    if (ended < tasks.size()) throw std::logic_error("a task waits for something that never comes");
}

}  // namespace parley
