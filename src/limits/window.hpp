// Exact limits by arithmetic: whether one more may be admitted follows from the times of the last N
// admissions, and from nothing else.
//
// The last window at a time t is the half-open stretch (t - W, t]: an admission counts from its own
// moment on, and no longer at the very moment W later. So one more is admitted at t exactly if the
// N-th last admission was at t - W or before. Any stretch [a, a + W) then holds at most N, and
// nothing is refused that has fewer than N in (t - W, t]. A request after exactly until_one_more()
// is admitted, if no other was admitted in between.
//
// Time that goes backwards admits nothing that forward time would refuse: an admission is never
// recorded before the one that precedes it, and the decision uses the earlier of the two times.
//
// Threads: the caller synchronises. Each admission is one atomic store: a process that is killed
// between any two instructions leaves an admission that counts, or none.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

namespace parley::limits {

// A time on one scale, such as the time since boot.
using Moment = std::chrono::nanoseconds;

// A stored moment: later ones are greater, and 0, the content of new memory, is before all of them.
using Stamp = std::uint64_t;
inline constexpr Stamp never = 0;

constexpr Stamp to_stamp(Moment moment)
{
    return static_cast<Stamp>(moment.count()) + (Stamp{1} << 63);
}
constexpr Moment to_moment(Stamp stamp)
{
    return Moment(static_cast<std::int64_t>(stamp - (Stamp{1} << 63)));
}

// A view of a ring of stamps and of the position of the oldest one; the memory belongs to the
// caller. The ring may hold more stamps than N: then N may be another number each time, and the
// decision is still exact, since the N last ones are there.
class Window {
public:
    // `limit` is N, at most as many as the ring holds.
    Window(std::span<Stamp> ring, std::uint32_t& oldest, std::chrono::nanoseconds width,
           std::uint32_t limit)
        : ring_(ring),
          oldest_(oldest),
          width_(width),
          limit_(limit),
          skipped_(static_cast<std::uint32_t>(ring.size()) - limit)
    {
    }
    Window(std::span<Stamp> ring, std::uint32_t& oldest, std::chrono::nanoseconds width)
        : Window(ring, oldest, width, static_cast<std::uint32_t>(ring.size()))
    {
    }

    std::uint32_t limit() const { return limit_; }

    bool has_room(Moment now) const { return at(0) <= horizon(now); }

    // How many more would be admitted at this moment.
    std::uint32_t remaining(Moment now) const;

    // Until remaining() is greater than now by one, and until it is N; 0 if it is N.
    std::chrono::nanoseconds until_one_more(Moment now) const { return until(remaining(now), now); }
    std::chrono::nanoseconds until_all(Moment now) const { return until(limit_ - 1, now); }

    // The same when remaining() is known already.
    std::chrono::nanoseconds until_one_more(Moment now, std::uint32_t remaining_now) const
    {
        return until(remaining_now, now);
    }

    // The last admission was so long ago that forgetting all of them changes nothing.
    bool is_over(Moment now) const { return at(limit_ - 1) <= horizon(now); }

    // Only if there is room; overwrites the oldest stamp. Returns the recorded stamp.
    Stamp admit(Moment now) { return append(std::max(to_stamp(now), at(limit_ - 1))); }

    // Removes an admission by its stamp. False if it is no longer there. A kill in the middle
    // leaves a later stamp in its place, so that never too few are counted.
    bool give_back(Stamp stamp);

    // Copies the admissions of another window that still count.
    void take_over(const Window& other, Moment now);

    // How many stamps it holds, over or not.
    std::uint32_t held() const;

    void forget_all();

private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(ring_.size()); }
    Stamp horizon(Moment now) const { return to_stamp(now - width_); }

    // Places of the ring in order of time; 0 is the oldest.
    std::uint32_t place(std::uint32_t index) const
    {
        const std::uint32_t place = oldest_ + index;
        return place < size() ? place : place - size();
    }
    // The stamp with this index among the last N, in order of time.
    Stamp at(std::uint32_t index) const { return ring_[place(skipped_ + index)]; }

    Stamp append(Stamp stamp)
    {
        store(ring_[oldest_], stamp);
        oldest_ = oldest_ + 1 == size() ? 0 : oldest_ + 1;
        return stamp;
    }
    std::chrono::nanoseconds until(std::uint32_t index, Moment now) const
    {
        if (index >= limit_ || at(index) <= horizon(now)) return std::chrono::nanoseconds(0);
        return to_moment(at(index)) + width_ - now;
    }
    static void store(Stamp& place, Stamp stamp)
    {
        static_assert(std::atomic_ref<Stamp>::is_always_lock_free);
        std::atomic_ref(place).store(stamp, std::memory_order_release);
    }

    std::span<Stamp> ring_;
    std::uint32_t& oldest_;
    std::chrono::nanoseconds width_;
    std::uint32_t limit_;
    std::uint32_t skipped_;  // Stamps of the ring that are older than the last N.
};

}  // namespace parley::limits
