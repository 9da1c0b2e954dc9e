// The event streams that are open, by the tokens that opened them: a token that is taken away loses
// its streams at once.
//
// Threads: from any event loop. The gate must outlive it.
#pragma once

#include "auth/caller.hpp"
#include "base/task.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace parley::api {

class OpenStreams {
public:
    explicit OpenStreams(auth::Authenticator& gate) : gate_(gate) {}

    // While this lives, the stream is cut where its token is taken away.
    class Entry;
    // On the loop of the stream, where `cut` is called.
    Task<std::unique_ptr<Entry>> enter(std::string user, auth::TokenHash token,
                                       std::function<void()> cut);

    // Somebody's rights have changed: looks whether their streams may go on.
    void check(const std::string& user);

    // For whoever has waited: whether the token was taken away meanwhile.
    Task<bool> is_revoked(auth::TokenHash token) { return gate_.is_revoked(token); }

    std::size_t count() const;

private:
    struct Stream {
        auth::TokenHash token;
        Executor loop;
        std::function<void()> cut;  // Null once the stream is closed; on its loop alone.
    };
    using StreamRef = std::shared_ptr<Stream>;

    Task<> check_one(StreamRef stream);

    auth::Authenticator& gate_;
    mutable std::mutex mutex_;
    std::multimap<std::string, StreamRef> streams_;  // By user.
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
