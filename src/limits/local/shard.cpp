#include "limits/local/shard.hpp"

#include <atomic>
#include <bit>
#include <limits>

namespace parley::limits {
namespace {

constexpr Shard::Place none = std::numeric_limits<Shard::Place>::max();

void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
}

std::uint32_t tag_of(const KeyHash& key) { return static_cast<std::uint32_t>(key.low); }

}  // namespace

Shard::Shard(std::span<std::uint64_t> memory, std::uint32_t limit, std::chrono::nanoseconds width)
    : memory_(memory), limit_(limit), width_(width), first_(none), last_(none)
{
    const auto places = static_cast<Place>(memory.size() / words(limit));
    nodes_.resize(places);
    for (Place place = 0; place < places; ++place) append(place);
    cells_.assign(std::bit_ceil(std::size_t{places} * 2), Cell{.tag = 0, .place = none});
}

std::unique_lock<std::mutex> Shard::lock()
{
    // Whoever holds it is done after some 100 ns, while sleeping and being woken takes thousands.
    constexpr int tries = 16;
    std::unique_lock lock(mutex_, std::try_to_lock);
    for (int i = 0; i < tries && !lock; ++i) {
        pause();
        lock.try_lock();
    }
    if (!lock) lock.lock();
    return lock;
}

std::optional<Shard::Place> Shard::find(const KeyHash& key) const
{
    const std::uint32_t tag = tag_of(key);
    for (std::size_t cell = tag & (cells_.size() - 1); cells_[cell].place != none;
         cell = next(cell))
        if (cells_[cell].tag == tag && holds(cells_[cell].place, key)) return cells_[cell].place;
    return std::nullopt;
}

std::optional<Shard::Place> Shard::claim(const KeyHash& key, Moment now)
{
    const Place place = first_;
    if (nodes_[place].known) {
        if (!window(place).is_over(now)) return std::nullopt;
        forget(place);
    }
    // The times of the old key go before the new key comes: whatever is left of this by a kill is a
    // key with nothing admitted.
    std::uint64_t* const words = key_words(place);
    std::atomic_ref(words[0]).store(key.high, std::memory_order_release);
    std::atomic_ref(words[1]).store(key.low, std::memory_order_release);
    index(key, place);
    unlink(place);
    append(place);
    return place;
}

void Shard::release(Place place)
{
    forget(place);
    unlink(place);
    prepend(place);
}

void Shard::admit(Place place, Moment now)
{
    window(place).admit(now);
    if (place == last_) return;
    unlink(place);
    append(place);
}

std::chrono::nanoseconds Shard::until_free(Moment now) { return window(first_).until_all(now); }

void Shard::index(const KeyHash& key, Place place)
{
    std::size_t cell = tag_of(key) & (cells_.size() - 1);
    while (cells_[cell].place != none) cell = next(cell);
    cells_[cell] = {.tag = tag_of(key), .place = place};
    nodes_[place].known = true;
}

void Shard::forget(Place place)
{
    window(place).forget_all();
    nodes_[place].known = false;
    const std::size_t mask = cells_.size() - 1;
    std::size_t gap = static_cast<std::uint32_t>(key_words(place)[1]) & mask;
    while (cells_[gap].place != place) gap = next(gap);
    // Those behind the gap move up, unless that would put them before the cell where the search for
    // them begins.
    for (std::size_t cell = next(gap); cells_[cell].place != none; cell = next(cell)) {
        const std::size_t home = cells_[cell].tag & mask;
        if (((cell - home) & mask) < ((cell - gap) & mask)) continue;
        cells_[gap] = cells_[cell];
        gap = cell;
    }
    cells_[gap].place = none;
}

void Shard::unlink(Place place)
{
    const Node& node = nodes_[place];
    (node.before == none ? first_ : nodes_[node.before].after) = node.after;
    (node.after == none ? last_ : nodes_[node.after].before) = node.before;
}

void Shard::append(Place place)
{
    nodes_[place].before = last_;
    nodes_[place].after = none;
    (last_ == none ? first_ : nodes_[last_].after) = place;
    last_ = place;
}

void Shard::prepend(Place place)
{
    nodes_[place].before = none;
    nodes_[place].after = first_;
    (first_ == none ? last_ : nodes_[first_].before) = place;
    first_ = place;
}

}  // namespace parley::limits
