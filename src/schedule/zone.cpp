#include "schedule/zone.hpp"

#include "base/suggest.hpp"

#include <absl/time/civil_time.h>
#include <absl/time/time.h>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace parley::schedule {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::seconds;

struct Zone::Rules {
    absl::TimeZone zone;
};

namespace {

// A database of the year before last may be younger than two years.
constexpr int most_years = 2;

absl::CivilSecond civil(LocalTime local)
{
    return absl::CivilSecond(1970, 1, 1) + local.time_since_epoch().count();
}

Moments::Kind kind_of(absl::TimeZone::TimeInfo::CivilKind kind)
{
    switch (kind) {
        case absl::TimeZone::TimeInfo::SKIPPED:
            return Moments::Kind::skipped;
        case absl::TimeZone::TimeInfo::REPEATED:
            return Moments::Kind::twice;
        case absl::TimeZone::TimeInfo::UNIQUE:
            break;
    }
    return Moments::Kind::once;
}

}  // namespace

Zone::Zone(std::string name, std::shared_ptr<const Rules> rules)
    : name_(std::move(name)), rules_(std::move(rules))
{
}

Moments Zone::moments(LocalTime local) const
{
    const absl::TimeZone::TimeInfo info = rules_->zone.At(civil(local));
    return {.kind = kind_of(info.kind),
            .first = absl::ToChronoTime(info.pre),
            .second = absl::ToChronoTime(info.post),
            .change = absl::ToChronoTime(info.trans)};
}

LocalTime Zone::local(TimePoint time) const
{
    const absl::CivilSecond shown = rules_->zone.At(absl::FromChrono(time)).cs;
    return LocalTime(seconds(shown - absl::CivilSecond(1970, 1, 1)));
}

std::optional<seconds> Zone::offset_throughout(local_days day) const
{
    const absl::TimeZone::TimeInfo begin = rules_->zone.At(civil(day));
    const absl::TimeZone::TimeInfo end = rules_->zone.At(civil(day + days(1)));
    if (begin.kind != absl::TimeZone::TimeInfo::UNIQUE ||
        end.kind != absl::TimeZone::TimeInfo::UNIQUE || end.pre - begin.pre != absl::Hours(24))
        return std::nullopt;
    absl::TimeZone::CivilTransition change;
    if (rules_->zone.NextTransition(begin.pre, &change) &&
        rules_->zone.At(change.to).trans <= end.pre)
        return std::nullopt;
    return day.time_since_epoch() - seconds(absl::ToUnixSeconds(begin.pre));
}

std::string Zone::formatted(TimePoint time, const char* format) const
{
    return absl::FormatTime(format, absl::FromChrono(time), rules_->zone);
}

std::string Zone::text(TimePoint time) const { return formatted(time, "%Y-%m-%dT%H:%M:%S%Ez"); }
std::string Zone::date_text(TimePoint time) const { return formatted(time, "%Y-%m-%d"); }
std::string Zone::time_text(TimePoint time) const { return formatted(time, "%H:%M"); }

std::filesystem::path Zones::usual_folder()
{
    const char* folder = std::getenv("TZDIR");  // As Abseil does, which reads the zones.
    return folder && *folder ? folder : "/usr/share/zoneinfo";
}

Result<Zones> Zones::load(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / "tzdata.zi";
    Zones zones;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) zones.read_line(line);
    if (zones.names_.empty())
        return Error{Errc::internal, "There is no time zone database. Install the package tzdata.",
                     "cannot read " + path.string()};
    return zones;
}

// "# version 2025b", "Z Europe/Berlin …" and "L Europe/Berlin Arctic/Longyearbyen"; everything else
// is rules, which are read from the files of the zones.
void Zones::read_line(std::string_view line)
{
    if (!line.starts_with("# version ") && !line.starts_with("Z") && !line.starts_with("L")) return;
    std::istringstream words{std::string(line)};
    std::string kind, first, second;
    words >> kind >> first >> second;
    if (kind == "#") version_ = second;
    if (kind.starts_with('Z') && first != "Factory") names_.insert(first);  // Which is no place.
    if (kind.starts_with('L') && !second.empty()) names_.insert(second);
}

// The version tells the year of its release.
std::string Zones::complaint(TimePoint now) const
{
    if (empty()) return "There is no time zone database: schedules cannot be used.";
    const std::chrono::year_month_day today(std::chrono::floor<days>(now));
    int released = 0;
    const char* end = version_.data() + version_.size();
    if (std::from_chars(version_.data(), end, released).ec != std::errc()) return {};
    if (static_cast<int>(today.year()) - released <= most_years) return {};
    return "The time zone database (" + version_ +
           ") is more than two years old: schedules may be due at a wrong time.";
}

Result<Zone> Zones::find(std::string_view name) const
{
    const auto known = names_.find(name);
    if (known == names_.end()) {
        const std::vector<std::string_view> names(names_.begin(), names_.end());
        const auto meant = suggest(name.substr(0, 64), names);
        return invalid_request(
            "is not a name in the IANA time zone database, such as Europe/Berlin" +
            (meant ? "; did you mean " + std::string(*meant) + "?" : std::string()));
    }
    auto rules = std::make_shared<Zone::Rules>();
    if (!absl::LoadTimeZone(*known, &rules->zone))
        return invalid_request("is in the index of the time zone database, which lacks its file");
    return Zone(*known, std::move(rules));
}

}  // namespace parley::schedule
