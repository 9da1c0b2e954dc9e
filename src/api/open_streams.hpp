// The event streams that are open, by the tokens that opened them: if a token is revoked, its
// streams are cut at once.
//
// Threads: from any event loop. The authenticator must outlive it.
#pragma once

#include "auth/caller.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace parley::api {

class OpenStreams {
public:
    explicit OpenStreams(auth::Authenticator& authenticator) : authenticator_(authenticator) {}

    // While this lives, the stream is cut if its token is revoked.
    class Entry;
    // On the loop of the stream, where `cut` is called.
    Task<std::unique_ptr<Entry>> enter(auth::CallerRef caller, std::function<void()> cut);

    // The rights of a user have changed: cuts the streams whose tokens were revoked.
    void check(const std::string& user);

    // For a request that has waited: whether its token was revoked meanwhile.
    Task<bool> is_revoked(const auth::Caller& caller)
    {
        return authenticator_.is_revoked(caller.token).wait();
    }

    std::size_t count() const;

private:
    struct Stream {
        auth::TokenHash token;
        Executor loop;
        std::function<void()> cut;  // Null once the stream is closed; on its loop alone.
    };
    using StreamRef = std::shared_ptr<Stream>;

    Task<> check_one(StreamRef stream);

    auth::Authenticator& authenticator_;
    mutable Mutex mutex_;
    std::multimap<std::string, StreamRef> streams_ GUARDED_BY(mutex_);  // By user.
};

// The rights of the caller of one request, which may end while the request waits or streams.
class CallerRights {
public:
    CallerRights(OpenStreams& streams, auth::CallerRef caller)
        : streams_(&streams), caller_(std::move(caller))
    {
    }

    // While the result lives, `lost` is called on this loop if the caller's token is revoked.
    Task<std::unique_ptr<OpenStreams::Entry>> watch(std::function<void()> lost) const
    {
        return streams_->enter(caller_, std::move(lost));
    }
    Task<bool> were_lost() const { return streams_->is_revoked(*caller_); }

private:
    OpenStreams* streams_;
    auth::CallerRef caller_;
};

class OpenStreams::Entry {
public:
    Entry(OpenStreams& owner, std::multimap<std::string, StreamRef>::iterator place)
        : owner_(owner), place_(place)
    {
    }
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

private:
    OpenStreams& owner_;
    std::multimap<std::string, StreamRef>::iterator place_;
};

}  // namespace parley::api
