// Search in messages. New messages are added to an index later, off the path of questions and
// answers; deleted ones are not found from the moment on when they are deleted.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "search/search.hpp"
#include "store/page.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace parley::store {

struct SearchFilter {
    std::optional<std::string> session = {};  // ses_…
    std::optional<Speaker> speaker = {};
    std::optional<TimePoint> since = {};   // Included.
    std::optional<TimePoint> before = {};  // Not included.
};

struct FoundMessage {
    std::string message = {};  // msg_…
    std::string session = {};  // ses_…
    std::string session_title = {};
    Speaker speaker = Speaker::user;
    TimePoint created_at = {};
    search::Snippet snippet = {};
};

class Search {
public:
    virtual ~Search() = default;

    // The owner's messages that contain all terms of the query, newest first, after `after`, if
    // given. A page may have fewer items than asked for although another one follows.
    using Position = std::int64_t;
    virtual Task<Result<Page<FoundMessage, Position>>> find(Owner owner, search::Query query,
                                                            SearchFilter filter,
                                                            std::optional<Position> after,
                                                            std::size_t limit) = 0;

    // Adds messages to the index and removes deleted ones from it, `most` at most; returns their
    // number. 0: the index is complete. To be called by one task at a time.
    virtual Task<Result<std::size_t>> update_index(std::size_t most) = 0;
    // Whether another server has added all messages of the last step meanwhile: it goes on with the
    // rest. If both went on, each would read what the other one adds.
    virtual bool is_done_by_another() const { return false; }
};

}  // namespace parley::store
