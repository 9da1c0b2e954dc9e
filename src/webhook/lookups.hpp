// Look-ups of host names that the requests of a user have begun. A name server that does not answer
// keeps a thread for long: one user must not take the threads of all.
//
// Threads: from any thread.
#pragma once

#include "base/mutex.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace parley::webhook {

class Lookups : public std::enable_shared_from_this<Lookups> {
public:
    static constexpr std::size_t most_of_user = 4;

    // Holds one until it is destroyed. Null: the user has too many.
    std::shared_ptr<void> begin(const std::string& user)
    {
        const MutexLock lock(mutex_);
        std::size_t& count = of_user_[user];
        if (count >= most_of_user) return nullptr;
        ++count;
        return std::make_shared<Active>(shared_from_this(), user);
    }

private:
    struct Active {
        Active(std::shared_ptr<Lookups> all, std::string its_user)
            : lookups(std::move(all)), user(std::move(its_user))
        {
        }
        ~Active() { lookups->end(user); }
        Active(const Active&) = delete;
        Active& operator=(const Active&) = delete;

        const std::shared_ptr<Lookups> lookups;
        const std::string user;
    };

    void end(const std::string& user)
    {
        const MutexLock lock(mutex_);
        const auto found = of_user_.find(user);
        if (--found->second == 0) of_user_.erase(found);
    }

    Mutex mutex_;
    std::map<std::string, std::size_t> of_user_ GUARDED_BY(mutex_);
};

}  // namespace parley::webhook
