#include "base/trusted_time.hpp"

#include "base/json.hpp"
#include "base/log.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <optional>

namespace parley {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::chrono::minutes tolerance{5};
constexpr std::chrono::hours time_to_settle{24};
constexpr std::chrono::hours time_before_sweeps{1};
// Smaller differences are ignored: the two clocks cannot be read at the same moment.
constexpr std::chrono::seconds noise{1};

// The time that is stored between two processes, in milliseconds.
struct KeptTime {
    std::string boot;
    std::int64_t latest = 0;  // The last trusted time.
    std::int64_t anchor = 0;
    std::int64_t trusted = 0;
    std::optional<std::int64_t> disagreeing_lead = {};
    std::int64_t disagreed_for = 0;
    std::int64_t kept_at = 0;  // By the boot clock.
};

// A number that also fits into nanoseconds.
std::optional<std::int64_t> time_in(const boost::json::object& kept, std::string_view name)
{
    const auto* value = kept.if_contains(name);
    const auto* number = value ? value->if_int64() : nullptr;
    constexpr std::int64_t most = 9'000'000'000'000;
    if (!number || *number < -most || *number > most) return std::nullopt;
    return *number;
}

std::optional<KeptTime> parse(std::string_view text)
{
    const auto json = json::parse(text);
    const auto* kept = json ? json->if_object() : nullptr;
    if (!kept) return std::nullopt;
    const auto* boot = kept->if_contains("boot");
    const auto latest = time_in(*kept, "latest");
    const auto anchor = time_in(*kept, "anchor");
    const auto trusted = time_in(*kept, "trusted");
    const auto disagreed_for = time_in(*kept, "disagreed_for");
    const auto kept_at = time_in(*kept, "kept_at");
    const auto* lead = kept->if_contains("disagreeing_lead");
    const auto disagreeing_lead = time_in(*kept, "disagreeing_lead");
    if (lead && !lead->is_null() && !disagreeing_lead) return std::nullopt;
    if (!boot || !boot->is_string() || !latest || !anchor || !trusted || !disagreed_for || !kept_at)
        return std::nullopt;
    return KeptTime{.boot = std::string(boot->get_string()),
                    .latest = *latest,
                    .anchor = *anchor,
                    .trusted = *trusted,
                    .disagreeing_lead = disagreeing_lead,
                    .disagreed_for = *disagreed_for,
                    .kept_at = *kept_at};
}

std::string text_of(const KeptTime& time)
{
    boost::json::object kept{{"boot", time.boot},
                             {"latest", time.latest},
                             {"anchor", time.anchor},
                             {"trusted", time.trusted},
                             {"disagreed_for", time.disagreed_for},
                             {"kept_at", time.kept_at}};
    if (time.disagreeing_lead) kept["disagreeing_lead"] = *time.disagreeing_lead;
    return boost::json::serialize(kept);
}

std::int64_t to_ms(nanoseconds time) { return std::chrono::floor<milliseconds>(time).count(); }
nanoseconds from_ms(std::int64_t ms) { return milliseconds(ms); }

bool differ(nanoseconds one, nanoseconds other, nanoseconds by)
{
    return std::chrono::abs(one - other) > by;
}

}  // namespace

TrustedTime::TrustedTime(const Clock& clock, std::string boot, std::string_view kept)
    : clock_(clock), boot_(std::move(boot)), started_(clock.steady())
{
    begin(kept);
}

TrustedTime::Reading TrustedTime::read() const
{
    // The wall clock first: a pause between both readings makes it look late, never early.
    const auto wall = clock_.now().time_since_epoch();
    const auto steady = clock_.steady().time_since_epoch();
    return {steady, std::chrono::duration_cast<Nanoseconds>(wall) - steady};
}

void TrustedTime::begin(std::string_view text)
{
    const auto [now, real] = read();
    const auto kept = parse(text);
    Nanoseconds anchor = real;
    Nanoseconds trusted = real;
    // A container may have moved to another boot clock on the same machine.
    const bool same_boot =
        kept && !boot_.empty() && kept->boot == boot_ && from_ms(kept->kept_at) <= now + noise;
    if (same_boot) {
        anchor = from_ms(kept->anchor);
        trusted = from_ms(kept->trusted);
    } else if (kept) {
        anchor = trusted = std::max(real, from_ms(kept->latest) - now);
    }
    anchor_ = anchor;
    trusted_ = trusted;
    if (kept && kept->disagreeing_lead && differ(real, trusted, noise)) {
        // After a reboot the leads cannot be compared, but the time of disagreement still counts:
        // otherwise a machine that runs a few hours each day would never settle.
        const auto before = from_ms(same_boot ? kept->kept_at : to_ms(now));
        const auto at = same_boot ? from_ms(*kept->disagreeing_lead) : real;
        disagreement_ = Disagreement{at, before - from_ms(kept->disagreed_for)};
    }
    look();
}

// The trusted lead, after it has followed the wall clock as far as allowed.
TrustedTime::Nanoseconds TrustedTime::follow(Nanoseconds lead) const
{
    Nanoseconds trusted = trusted_.load(std::memory_order_relaxed);
    const Nanoseconds wanted =
        std::min<Nanoseconds>(lead, anchor_.load(std::memory_order_relaxed) + tolerance);
    while (trusted < wanted &&
           !trusted_.compare_exchange_weak(trusted, wanted, std::memory_order_relaxed)) {
    }
    return std::max(trusted, wanted);
}

TimePoint TrustedTime::now() const
{
    const auto [steady, lead] = read();
    return TimePoint(std::chrono::duration_cast<TimePoint::duration>(steady + follow(lead)));
}

bool TrustedTime::may_sweep() const
{
    return clock_.steady() - started_ >= time_before_sweeps &&
           !differ(read().lead, anchor_.load(std::memory_order_relaxed), tolerance);
}

void TrustedTime::look()
{
    const auto [steady, real] = read();
    const Nanoseconds trusted = follow(real);
    if (!differ(real, trusted, noise)) {
        disagreement_.reset();
        return;
    }
    if (!disagreement_ || differ(disagreement_->lead, real, noise)) {
        disagreement_ = Disagreement{real, steady};
        if (differ(real, anchor_.load(), tolerance))
            log::warn(
                "the wall clock jumped; expiry uses the time since boot until the clocks agree or "
                "24 hours have passed",
                log::kv("wall_clock", rfc3339(clock_.now())),
                log::kv("trusted_time", rfc3339(now())));
    }
    if (steady - disagreement_->since >= time_to_settle) settle(real);
}

void TrustedTime::settle(Nanoseconds lead)
{
    log::warn("the clocks have disagreed for 24 hours; the wall clock is trusted again",
              log::kv("wall_clock", rfc3339(clock_.now())));
    anchor_ = lead;
    trusted_ = lead;
    disagreement_.reset();
}

std::string TrustedTime::text() const
{
    const auto steady = clock_.steady().time_since_epoch();
    KeptTime kept{.boot = boot_,
                  .latest = to_ms(now().time_since_epoch()),
                  .anchor = to_ms(anchor_.load()),
                  .trusted = to_ms(trusted_.load()),
                  .kept_at = to_ms(steady)};
    if (disagreement_) {
        kept.disagreeing_lead = to_ms(disagreement_->lead);
        kept.disagreed_for = to_ms(steady - disagreement_->since);
    }
    return text_of(kept);
}

}  // namespace parley
