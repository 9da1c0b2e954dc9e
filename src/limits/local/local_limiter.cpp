#include "limits/local/local_limiter.hpp"

#include "base/log.hpp"
#include "limits/local/carry_over.hpp"
#include "limits/local/key_hashes.hpp"
#include "limits/local/passage.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <mutex>

namespace parley::limits {
namespace {

using std::chrono::ceil;
using std::chrono::nanoseconds;
using std::chrono::seconds;

Moment moment(const Clock& clock)
{
    return std::chrono::duration_cast<Moment>(clock.steady().time_since_epoch());
}

Error not_counted(Class of)
{
    return {.code = Errc::internal,
            .message = "The request could not be counted.",
            .detail =
                fmt::format("requests of class {} are not counted by this kind of key", name(of))};
}

Error no_place(nanoseconds until_free)
{
    return {.code = Errc::overloaded,
            .message = "Too many different clients at the moment.",
            .detail = "no place is left for a new key in the file of the limits",
            .retry_after = ceil<seconds>(until_free)};
}

void tell_of_few_places(const Tables& tables)
{
    for (const TableLayout& each : tables) {
        const std::uint64_t places = std::uint64_t{each.shards} * each.places;
        if (places >= each.wanted || each.group == Group::account) continue;
        log::warn("a high limit leaves room for few at a time", log::kv("class", name(each.of)),
                  log::kv("limit", each.limit),
                  log::kv("counted_by", each.group == Group::known ? "user" : "address"),
                  log::kv("room", places));
    }
}

}  // namespace

// Where a key is counted. No place: nothing of it was admitted in the last window.
struct LocalLimiter::Spot {
    Shard* shard = nullptr;
    KeyHash key;
    std::optional<Shard::Place> place;

    bool has_room(Moment now) const { return !place || shard->window(*place).has_room(now); }
};

Result<std::unique_ptr<LocalLimiter>> LocalLimiter::open(Options options)
{
    if (auto right = check(options.limits); !right) return right.error();
    const Tables tables = lay_out(options.limits, {options.users, options.addresses});
    tell_of_few_places(tables);

    auto file = NewFile::make(options.file, file_bytes(tables));
    if (!file) return file.error();
    auto old = OldFile::open(options.file);
    if (!old) return old.error();

    Header& header = file->header();
    header = make_header(tables, options.boot_id);
    const bool has_past = *old && (*old)->header();
    if (has_past) {
        header.fixed.hash_keys = (*old)->header()->fixed.hash_keys;
        seal(header);
    }
    std::unique_ptr<LocalLimiter> limiter(new LocalLimiter(options, std::move(*file), tables));
    const Moment now = moment(*options.clock);
    limiter->pulse_.beat(now);

    const std::string path = options.file.string();
    if (has_past) {
        const Passage passage(*(*old)->header(), options.boot_id, now, options.clock->now(),
                              options.limits.window);
        auto carried = carry_over(**old, passage, limiter->tables_);
        if (!carried) return carried.error();
        if (!passage.understood())
            log::warn("the limits' times cannot be translated: all of them count as now",
                      log::kv("file", path));
        if (carried->lost > 0)
            log::warn("limits have no room for all keys that they counted: some begin anew",
                      log::kv("file", path), log::kv("lost", carried->lost));
        log::info("limits go on", log::kv("file", path), log::kv("keys", carried->kept));
    } else if (*old) {
        log::warn("the file of the limits is damaged: all limits begin anew",
                  log::kv("file", path));
    } else {
        log::info("limits begin: there is no file of them yet", log::kv("file", path));
    }
    if (auto published = limiter->file_.publish(); !published) return published.error();
    return limiter;
}

LocalLimiter::LocalLimiter(const Options& options, NewFile file, const Tables& tables)
    : limits_(options.limits),
      clock_(*options.clock),
      file_(std::move(file)),
      pulse_(file_.header().pulse, clock_)
{
    std::uint64_t offset = tables_begin;
    tables_.reserve(tables.size());
    for (const TableLayout& each : tables) {
        tables_.emplace_back(file_.words(offset, each.bytes()), each, limits_.window);
        table_of_[static_cast<std::size_t>(each.of)][static_cast<std::size_t>(each.group)] =
            &tables_.back();
        offset += each.bytes();
    }
}

LocalLimiter::~LocalLimiter() = default;

Task<Result<Decision>> LocalLimiter::admit(Class of, Keys keys)
{
    co_return *decide(of, keys, true);
}

Task<Result<Decision>> LocalLimiter::peek(Class of, Keys keys)
{
    co_return *decide(of, keys, false);
}

std::optional<Result<Decision>> LocalLimiter::admit_now(Class of, const Keys& keys)
{
    return decide(of, keys, true);
}

std::optional<Result<Decision>> LocalLimiter::peek_now(Class of, const Keys& keys)
{
    return decide(of, keys, false);
}

std::optional<Result<Decision>> LocalLimiter::decide(Class of, const Keys& keys, bool charging)
{
    std::array<Spot, 2> both;
    std::size_t count = 0;
    for (const Key& key : keys.all()) {
        Table* const table =
            table_of_[static_cast<std::size_t>(of)][static_cast<std::size_t>(group_of(key.kind()))];
        if (table == nullptr) return not_counted(of);
        both[count].key = hash_of(key, file_.header());
        both[count].shard = &table->shard(both[count].key);
        ++count;
    }
    if (count == 2 && both[0].shard == both[1].shard && both[0].key == both[1].key) count = 1;
    const std::span spots = std::span(both).first(count);

    // Always in the same order, or two requests could wait for each other.
    Shard* low = spots.front().shard;
    Shard* high = spots.back().shard;
    if (std::less<>()(high, low)) std::swap(low, high);
    const std::unique_lock first = low->lock();
    const std::unique_lock second = low != high ? high->lock() : std::unique_lock<std::mutex>();

    // Asked under the lock, so that time never runs backwards for a key.
    const Moment now = moment(clock_);
    pulse_.beat(now);

    bool room = true;
    for (Spot& each : spots) {
        each.place = each.shard->find(each.key);
        room = room && each.has_room(now);
    }
    if (room && charging && !charge(spots, now)) {
        const auto full = std::ranges::find_if(spots, [](const Spot& each) { return !each.place; });
        return no_place(full->shard->until_free(now));
    }

    Decision decision{.of = of,
                      .admitted = room,
                      .limit = limits_.of(of),
                      .remaining = limits_.of(of),
                      .window = limits_.window};
    nanoseconds wait{0};
    for (const Spot& each : spots) {
        if (!each.place) continue;
        const Window window = each.shard->window(*each.place);
        const std::uint32_t remaining = window.remaining(now);
        const nanoseconds until = window.until_one_more(now, remaining);
        if (remaining > decision.remaining) continue;
        wait = remaining < decision.remaining ? until : std::max(wait, until);
        decision.remaining = remaining;
    }
    decision.reset = ceil<seconds>(wait);
    if (!room) decision.retry_after = decision.reset;
    decision.reset_at = ceil<seconds>(pulse_.wall(now) + wait).time_since_epoch().count();
    return decision;
}

bool LocalLimiter::charge(std::span<Spot> spots, Moment now)
{
    Spot* claimed = nullptr;
    for (Spot& each : spots) {
        if (each.place) continue;
        each.place = each.shard->claim(each.key, now);
        if (!each.place) {
            if (claimed != nullptr) claimed->shard->release(*claimed->place);
            return false;
        }
        claimed = &each;
    }
    for (const Spot& each : spots) each.shard->admit(*each.place, now);
    return true;
}

}  // namespace parley::limits
