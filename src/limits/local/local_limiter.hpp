// Limits of one machine, kept in a mapped file: an admission is a store to memory, and survives the
// process that made it, however that ends. (A power cut may lose the last seconds of them.)
//
// Memory and disk are fixed at the start, whatever keys arrive. A key has a place while it was
// admitted in the last window, and nobody takes it away. Addresses, networks and account names have
// tables of their own, so that strangers cannot take the place of a user. When all places of such a
// table are taken, the strangers without one share one more, so that a flood from many addresses
// makes logging in slow for newcomers, not impossible. When more users than `users` were active in
// the last window, further ones get overloaded: the alternative would be a limit that does not
// hold.
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

class Spots;

class LocalLimiter final : public Limiter {
public:
    struct Options {
        std::filesystem::path file;  // Made if missing; its folder must exist.
        Limits limits = {};
        // Keys at the same time. A class whose limit is so high that its table would pass 64 MiB
        // has room for fewer, but for 16; the log says so.
        std::size_t users = 16'384;
        std::size_t addresses = 16'384;
        std::size_t logins = 65'536;  // Addresses and account names of attempts to log in.
        const Clock* clock = &boot_clock();
        std::string boot_id = parley::boot_id();
    };

    // Takes over what the last process admitted. A file that is damaged is left behind with a line
    // in the log; one that cannot be opened or made is a failure.
    static Result<std::unique_ptr<LocalLimiter>> open(Options options);

    ~LocalLimiter() override;

    const Limits& limits() const override { return limits_; }
    Task<Result<Decision>> admit(Class of, Keys keys) override;
    Task<Result<Decision>> peek(Class of, Keys keys) override;
    Task<Result<>> give_back(Class of, Keys keys, Receipt receipt) override;

    // Never nothing: there is nobody to wait for.
    std::optional<Result<Decision>> admit_now(Class of, const Keys& keys) override;
    std::optional<Result<Decision>> peek_now(Class of, const Keys& keys) override;

private:
    LocalLimiter(const Options& options, NewFile file, const Tables& tables);

    Table* table(Class of, const Key& key) const
    {
        return table_of_[static_cast<std::size_t>(of)]
                        [static_cast<std::size_t>(group_of(key.kind()))];
    }
    std::optional<Result<Decision>> decide(Class of, const Keys& keys, bool charge);
    Decision told(Class of, const Spots& spots, bool admitted, Moment now) const;
    void warn_of_sharing(Class of, Moment now);  // Once a minute at most.

    Limits limits_;
    const Clock& clock_;
    NewFile file_;
    ClockAnchor pulse_;
    std::vector<Table> tables_;
    std::array<std::array<Table*, group_count>, all_classes.size()> table_of_{};
    std::atomic<Moment> next_warning_ = Moment::min();
};

}  // namespace parley::limits::local
