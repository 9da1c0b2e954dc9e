// The events of one run as they come, for any number of readers: the frames of a while (a ring;
// the journal and the store have the others), the text so far, and whoever waits for more.
//
// Threads: from any thread. Only the run itself adds to it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/events.hpp"
#include "chat/kept_events.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::chat {

class Feed {
public:
    // Of one who follows the feed. Whoever waits can be told to give up, from any thread.
    class Follower;
    using FollowerRef = std::shared_ptr<Follower>;

    // What there is for a reader who has all events up to a number.
    struct Look {
        std::vector<Frame> frames = {};  // The next ones, if the ring has them.
        bool is_behind = false;          // There are next ones, but the ring has lost them.
        bool has_ended = false;          // Nothing comes after these frames.
        bool was_suspended = false;      // It stopped without an end: the server shuts down.
    };
    // How far the answer is, at one moment.
    struct Moment {
        std::int64_t last = 0;
        std::string text;
        bool has_ended = false;
    };

    Feed() = default;
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    // By the run. The first frame of `frames` has the number after the last one. Where they are
    // deltas, `texts` is what each of them adds to the answer.
    void push(std::span<const Frame> frames, std::span<const std::string> texts = {});
    // The terminal event: the last one.
    void end(Frame terminal);
    // Nothing comes any more, though the run has not ended.
    void leave();
    // What an earlier process has sent; before anybody follows.
    void restore(std::int64_t last, std::string text, DeltaSizes deltas);
    // Something holds the run up, or no longer does.
    void set_trouble(std::optional<Error> trouble);

    Look look(std::int64_t after, std::size_t max_bytes) const;
    Moment moment() const;
    std::int64_t last() const;
    DeltaSizes deltas() const;

    FollowerRef follow();

    // Waits until there is an event after this number, or no more can come. False where the
    // follower was told to give up.
    Task<bool> wait(FollowerRef follower, std::int64_t after);
    // Waits until the run has ended or was left. Fails with what holds it up.
    Task<Result<bool>> wait_for_end(FollowerRef follower);

    void give_up(const FollowerRef& follower);

    std::size_t followers() const;

private:
    void wake_all(std::unique_lock<std::mutex> lock);
    bool is_over() const { return has_ended_ || was_left_; }

    mutable std::mutex mutex_;
    std::deque<Frame> ring_;
    std::size_t ring_bytes_ = 0;
    std::int64_t last_ = 0;  // The number of the last frame, which is the ring's last.
    std::string text_;
    DeltaSizes deltas_;  // How the text was cut.
    bool has_ended_ = false;
    bool was_left_ = false;
    std::optional<Error> trouble_;
    std::vector<std::weak_ptr<Follower>> followers_;
};

class Feed::Follower {
    friend class Feed;
    std::optional<Answer<bool>> waits_;
    std::int64_t after_ = 0;
    bool for_end_ = false;
    bool gave_up_ = false;
};

}  // namespace parley::chat
