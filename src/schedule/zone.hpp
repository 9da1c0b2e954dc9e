// Time zones of the system's IANA database, and the conversion of local times to instants. There is
// no default: neither offsets nor the zone of the machine are used.
//
// Threads: all of it may be called from any thread. The database is read once; a newer one is used
// after the next start.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace parley::schedule {

using LocalTime = std::chrono::local_seconds;

// The instants at which the clocks of a zone show a local time.
struct Moments {
    enum class Kind { once, skipped, twice };

    Kind kind;
    TimePoint first;   // Skipped: counted with the offset that was in force before the change.
    TimePoint second;  // Skipped: counted with the offset after it. Once: the same as `first`.
    TimePoint change;  // The change of the clocks, if the time is skipped or comes twice.
};

class Zone {
public:
    const std::string& name() const { return name_; }

    Moments moments(LocalTime local) const;
    LocalTime local(TimePoint time) const;

    // How far local time is ahead of UTC during all of that day, if the clocks do not change in it.
    std::optional<std::chrono::seconds> offset_throughout(std::chrono::local_days day) const;

    // "2027-03-28T03:30:00+02:00", "2027-03-28", "03:30"
    std::string text(TimePoint time) const;
    std::string date_text(TimePoint time) const;
    std::string time_text(TimePoint time) const;

private:
    friend class Zones;
    struct Rules;

    Zone(std::string name, std::shared_ptr<const Rules> rules);
    std::string formatted(TimePoint time, const char* format) const;

    std::string name_;
    std::shared_ptr<const Rules> rules_;
};

class Zones {
public:
    // The folder of the database: TZDIR, if it is set, or /usr/share/zoneinfo.
    static std::filesystem::path usual_folder();

    // Fails with `internal` if there is no database.
    static Result<Zones> load(const std::filesystem::path& folder = usual_folder());

    // Without any zone: for a system that has no database.
    static Zones none() { return {}; }
    bool empty() const { return names_.empty(); }

    // Fails with invalid_request for all but the names of the database and their links.
    Result<Zone> find(std::string_view name) const;

    // The version of the database, such as 2025b.
    const std::string& version() const { return version_; }

    // A sentence for operators if there is no database, or if it is certainly more than two years
    // old: countries change their clocks at short notice. Empty: nothing is to be done.
    std::string complaint(TimePoint now) const;

private:
    Zones() = default;
    void read_line(std::string_view line);

    std::string version_ = "unknown";
    std::set<std::string, std::less<>> names_;
};

}  // namespace parley::schedule
