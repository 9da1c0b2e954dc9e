// Rate limits of one machine, in a mapped file: an admission is a store to memory, and survives a
// crash of the process. (A power cut may lose the last seconds.)
//
// Memory and disk are fixed at the start, whatever keys arrive. A key keeps its place while it was
// admitted in the last window. Addresses, networks and account names have separate tables, so that
// unknown clients cannot take the place of a user. If such a table is full, new keys share one more
// place, so that a flood from many addresses makes logging in slow for new clients, not impossible.
// If more users than `users` were active in the last window, further ones get overloaded: otherwise
// the limit would not be exact.
//
// Threads: from any thread. A decision takes one lock per key, for some 100 ns, and never waits for
// anything else. The clock must outlive the limiter.
#pragma once

#include "base/boot_clock.hpp"
#include "base/clock.hpp"
#include "limits/limiter.hpp"
#include "limits/local/clock_anchor.hpp"
#include "limits/local/file.hpp"
#include "limits/local/table.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::limits::local {

class KeySlots;

class LocalLimiter final : public Limiter {
public:
    struct Options {
        std::filesystem::path file;  // Made if missing; its folder must exist.
        Limits limits = {};
        // Maximum number of keys within one window; with the default limits all of them take 40 MiB
        // of disk, and of memory as much as is used. A class whose limit is so high that its table
        // would exceed 64 MiB has fewer places, at least 16; this is logged.
        std::size_t users = 4096;
        std::size_t addresses = 8192;
        std::size_t logins = 65'536;  // Addresses and account names of attempts to log in.
        const Clock* clock = &boot_clock();
        std::string boot_id = parley::boot_id();
    };

    // Imports the admissions of the last process. A damaged file is replaced, which is logged; a
    // file that cannot be opened or created is a failure.
    static Result<std::unique_ptr<LocalLimiter>> open(Options options);

    ~LocalLimiter() override;

    const Limits& limits() const override { return limits_; }
    // Always at once.
    Ready<Result<Decision>> admit(Class of, const Keys& keys) override;
    Ready<Result<Decision>> peek(Class of, const Keys& keys) override;
    Task<Result<>> give_back(Class of, Keys keys, Receipt receipt) override;

private:
    LocalLimiter(const Options& options, NewFile file, const Tables& tables);

    Table* table(Class of, const Key& key) const
    {
        return table_of_[static_cast<std::size_t>(of)]
                        [static_cast<std::size_t>(group_of(key.kind()))];
    }
    Result<Decision> decide(Class of, const Keys& keys, bool charge);
    Decision told(Class of, const KeySlots& slots, bool admitted, Moment now) const;
    void warn_of_sharing(Class of, Moment now);  // Once a minute at most.

    Limits limits_;
    const Clock& clock_;
    NewFile file_;
    ClockAnchor anchor_;
    std::vector<Table> tables_;
    std::array<std::array<Table*, group_count>, all_classes.size()> table_of_{};
    std::atomic<Moment> next_warning_ = Moment::min();
};

}  // namespace parley::limits::local
