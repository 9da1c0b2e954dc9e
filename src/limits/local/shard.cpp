#include "limits/local/shard.hpp"

#include <atomic>
#include <bit>
#include <limits>

namespace parley::limits::local {
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

Shard::Shard(std::span<std::uint64_t> memory, const ShardLayout& layout,
             std::chrono::nanoseconds width)
    : memory_(memory),
      layout_(layout),
      small_words_(ShardLayout::words_of_place(layout.limit)),
      large_words_(ShardLayout::words_of_place(layout.large_limit)),
      shared_(layout.places + layout.large_places),
      width_(width),
      queues_{{{none, none}, {none, none}}}
{
    nodes_.resize(shared_ + std::size_t{1});
    for (Place place = 0; place < shared_; ++place) append(place);
    cells_.assign(std::bit_ceil(std::size_t{shared_} * 2), Cell{.tag = 0, .place = none});
}

std::unique_lock<std::mutex> Shard::lock()
{
    // The lock is held for about 100 ns; sleeping and waking would take thousands.
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

Shard::Place Shard::place_for(Place place, std::uint32_t limit, Moment now)
{
    if (limit <= layout_.limit || is_large(place)) return place;
    const KeyHash key = key_of(place);
    const auto larger = take_first(queues_[1], key, now);
    if (!larger) return place;
    // A kill in between leaves the key in both places; the one with more admissions counts.
    whole_window(*larger).take_over(whole_window(place), now);
    release(place);
    return *larger;
}

std::optional<Shard::Place> Shard::claim(const KeyHash& key, std::uint32_t limit, Moment now)
{
    std::optional<Place> place;
    if (limit > layout_.limit) place = take_first(queues_[1], key, now);
    if (!place) place = take_first(queues_[0], key, now);
    if (place && layout_.shares && !whole_window(shared_).is_over(now))
        whole_window(*place).take_over(whole_window(shared_), now);
    return place;
}

std::optional<Shard::Place> Shard::take_first(Queue& queue, const KeyHash& key, Moment now)
{
    const Place place = queue.first;
    if (place == none) return std::nullopt;
    if (nodes_[place].known) {
        if (!whole_window(place).is_over(now)) return std::nullopt;
        forget(place);
    }
    // The old key's times are cleared before the new key is written: a kill in between leaves a key
    // without admissions.
    std::uint64_t* const words = memory_.data() + words_before(place);
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

Stamp Shard::admit(Place place, Moment now)
{
    const Stamp stamp = whole_window(place).admit(now);
    if (place == shared_ || place == queue_of(place).last) return stamp;
    unlink(place);
    append(place);
    return stamp;
}

void Shard::give_back(const KeyHash& key, Stamp stamp, bool was_shared, Moment now)
{
    if (was_shared) whole_window(shared_).give_back(stamp);
    // The key may have been in the shared place and have its own by now, with its admissions.
    const auto place = find(key);
    if (!place || !whole_window(*place).give_back(stamp) || !whole_window(*place).is_over(now))
        return;
    unlink(*place);
    prepend(*place);
}

std::chrono::nanoseconds Shard::until_free(Moment now)
{
    return whole_window(queues_[0].first).until_all(now);
}

void Shard::index(const KeyHash& key, Place place)
{
    std::size_t cell = tag_of(key) & (cells_.size() - 1);
    while (cells_[cell].place != none) cell = next(cell);
    cells_[cell] = {.tag = tag_of(key), .place = place};
    nodes_[place].known = true;
}

void Shard::forget(Place place)
{
    whole_window(place).forget_all();
    nodes_[place].known = false;
    const std::size_t mask = cells_.size() - 1;
    std::size_t gap = tag_of(key_of(place)) & mask;
    while (cells_[gap].place != place) gap = next(gap);
    // Moves later cells into the gap, unless that would put them before the start of their search.
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
    Queue& queue = queue_of(place);
    const Node& node = nodes_[place];
    (node.before == none ? queue.first : nodes_[node.before].after) = node.after;
    (node.after == none ? queue.last : nodes_[node.after].before) = node.before;
}

void Shard::append(Place place)
{
    Queue& queue = queue_of(place);
    nodes_[place].before = queue.last;
    nodes_[place].after = none;
    (queue.last == none ? queue.first : nodes_[queue.last].after) = place;
    queue.last = place;
}

void Shard::prepend(Place place)
{
    Queue& queue = queue_of(place);
    nodes_[place].before = none;
    nodes_[place].after = queue.first;
    (queue.first == none ? queue.last : nodes_[queue.first].before) = place;
    queue.first = place;
}

}  // namespace parley::limits::local
