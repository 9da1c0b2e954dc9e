#include "limits/local/local_limiter.hpp"

#include "base/log.hpp"
#include "limits/local/import_previous_file.hpp"
#include "limits/local/key_hashes.hpp"
#include "limits/local/key_slots.hpp"
#include "limits/local/time_translation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace parley::limits::local {
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
            .detail = "the rate-limit file has no room for a new key",
            .retry_after = ceil<seconds>(until_free)};
}

void tell_of_few_places(const Tables& tables)
{
    for (const TableLayout& each : tables) {
        // Only users need a place each: unknown clients can share one.
        if (each.places() >= each.wanted || each.group != Group::known) continue;
        log::warn("a high limit leaves room for few keys in the rate-limit file",
                  log::kv("class", name(each.of)), log::kv("limit", each.shard.limit),
                  log::kv("room", each.places()));
    }
}

}  // namespace

Result<std::unique_ptr<LocalLimiter>> LocalLimiter::open(Options options)
{
    if (auto right = check(options.limits); !right) return right.error();
    const Tables tables =
        lay_out(options.limits, {options.users, options.addresses, options.logins});
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
    limiter->anchor_.refresh(now);

    const std::string path = options.file.string();
    if (has_past) {
        const TimeTranslation passage(*(*old)->header(), options.boot_id, now, options.clock->now(),
                                      options.limits.window);
        auto carried = import_previous_file(**old, passage, limiter->tables_);
        if (!carried) return carried.error();
        if (!passage.understood())
            log::warn(
                "the clock of the rate-limit file is unknown; all of its requests count as made "
                "now",
                log::kv("file", path));
        if (carried->lost > 0)
            log::warn("the rate-limit file has no room for all keys; some start over",
                      log::kv("file", path), log::kv("lost", carried->lost));
        log::info("rate-limit state loaded", log::kv("file", path), log::kv("keys", carried->kept));
    } else if (*old) {
        log::warn("the rate-limit file is damaged; all limits start over", log::kv("file", path));
    } else {
        log::info("rate-limit state created", log::kv("file", path));
    }
    if (auto published = limiter->file_.publish(); !published) return published.error();
    return limiter;
}

LocalLimiter::LocalLimiter(const Options& options, NewFile file, const Tables& tables)
    : limits_(options.limits),
      clock_(*options.clock),
      file_(std::move(file)),
      anchor_(file_.header().anchor, clock_)
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

Ready<Result<Decision>> LocalLimiter::admit(Class of, const Keys& keys)
{
    return decide(of, keys, true);
}

Ready<Result<Decision>> LocalLimiter::peek(Class of, const Keys& keys)
{
    return decide(of, keys, false);
}

Task<Result<>> LocalLimiter::give_back(Class of, Keys keys, Receipt receipt)
{
    for (std::size_t i = 0; i < keys.all().size(); ++i) {
        const Key& key = keys.all()[i];
        if (receipt.marks[i] == never || table(of, key) == nullptr) continue;
        const KeyHash hash = hash_of(key, file_.header());
        Shard& shard = table(of, key)->shard(hash);
        const std::unique_lock lock = shard.lock();
        shard.give_back(hash, receipt.marks[i], (receipt.shared >> i & 1U) != 0, moment(clock_));
    }
    co_return Result<>();
}

Result<Decision> LocalLimiter::decide(Class of, const Keys& keys, bool charging)
{
    KeySlots slots;
    for (const Key& key : keys.all()) {
        Table* const counted_in = table(of, key);
        if (counted_in == nullptr) return not_counted(of);
        slots.add(key, hash_of(key, file_.header()), *counted_in);
    }
    const auto locks = slots.lock();

    // Read under the lock, so that time never runs backwards for a key.
    const Moment now = moment(clock_);
    anchor_.refresh(now);

    const bool room = slots.find_room(now);
    if (room && charging && !slots.charge(now)) return no_place(slots.until_free(now));
    const Decision decision = told(of, slots, room, now);
    if (decision.receipt.shared != 0) warn_of_sharing(of, now);
    return decision;
}

void LocalLimiter::warn_of_sharing(Class of, Moment now)
{
    Moment next = next_warning_.load(std::memory_order_relaxed);
    if (now < next || !next_warning_.compare_exchange_strong(next, now + std::chrono::minutes(1)))
        return;
    log::warn("too many different clients: new ones share one rate limit",
              log::kv("class", name(of)));
}

Decision LocalLimiter::told(Class of, const KeySlots& slots, bool admitted, Moment now) const
{
    Decision decision{.of = of, .admitted = admitted, .window = limits_.window};
    const auto [tightest, remaining, wait] = slots.tightest(now);
    decision.limit = tightest->limit_now();
    decision.remaining = remaining;
    decision.tightest = tightest->kind;
    decision.reset = ceil<seconds>(wait);
    if (!admitted) decision.retry_after = decision.reset;
    decision.reset_at = ceil<seconds>(anchor_.wall(now) + wait).time_since_epoch().count();
    decision.receipt = slots.receipt();
    return decision;
}

}  // namespace parley::limits::local
