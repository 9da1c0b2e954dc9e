#include "api/open_streams.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include <vector>

namespace parley::api {

Task<std::unique_ptr<OpenStreams::Entry>> OpenStreams::enter(auth::CallerRef caller,
                                                             std::function<void()> cut)
{
    auto stream = std::make_shared<Stream>(caller->token, co_await boost::asio::this_coro::executor,
                                           std::move(cut));
    std::unique_ptr<Entry> entry;
    {
        const MutexLock lock(mutex_);
        entry = std::make_unique<Entry>(*this, streams_.emplace(caller->user, stream));
    }
    // The token may have been revoked between the check of the request and this.
    auto asked = authenticator_.is_revoked(stream->token);
    const bool is_revoked = asked.is_ready() ? asked.take() : co_await asked.wait();
    if (is_revoked && stream->cut) stream->cut();
    co_return entry;
}

OpenStreams::Entry::~Entry()
{
    const MutexLock lock(owner_.mutex_);
    place_->second->cut = nullptr;
    owner_.streams_.erase(place_);
}

void OpenStreams::check(const std::string& user)
{
    std::vector<StreamRef> theirs;
    {
        const MutexLock lock(mutex_);
        const auto [begin, end] = streams_.equal_range(user);
        for (auto each = begin; each != end; ++each) theirs.push_back(each->second);
    }
    for (StreamRef& stream : theirs) {
        const Executor loop = stream->loop;
        boost::asio::co_spawn(loop, check_one(std::move(stream)), boost::asio::detached);
    }
}

Task<> OpenStreams::check_one(StreamRef stream)
{
    const bool is_revoked = co_await authenticator_.is_revoked(stream->token).wait();
    if (is_revoked && stream->cut) stream->cut();
}

std::size_t OpenStreams::count() const
{
    const MutexLock lock(mutex_);
    return streams_.size();
}

}  // namespace parley::api
