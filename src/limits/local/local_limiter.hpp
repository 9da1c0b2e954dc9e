// Limits of one machine, kept in a mapped file: an admission is a store to memory, and survives the
// process that made it, however that ends. (A power cut may lose the last seconds of them.)
//
// Memory and disk are fixed at the start, whatever keys arrive. A key has a place while it was
// admitted in the last window, and nobody takes it away. When all places are taken, keys without
// one are told overloaded: addresses and account names have tables of their own, so that strangers
// cannot take the place of a user, and account names so many places that the addresses run out
// first. When more users than `users` were active in the last window, further ones get overloaded,
// too: the alternative would be a limit that does not hold.
//
// Threads: from any thread. A decision takes one lock per key, for some 100 ns, and never waits for
// anything else. The clock must outlive the limiter.
#pragma once

#include "base/clock.hpp"
#include "limits/limiter.hpp"
#include "limits/local/boot_clock.hpp"
#include "limits/local/file.hpp"
#include "limits/local/pulse.hpp"
#include "limits/local/table.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::limits {

class LocalLimiter final : public Limiter {
public:
    struct Options {
        std::filesystem::path file;  // Made if missing; its folder must exist.
        Limits limits = {};
        // Keys at the same time. A class whose limit is so high that its table would pass 64 MiB
        // has room for fewer, but for 16; the log says so.
        std::size_t users = 16'384;
        std::size_t addresses = 16'384;
        const Clock* clock = &boot_clock();
        std::string boot_id = limits::boot_id();
    };

    // Takes over what the last process admitted. A file that is damaged is left behind with a line
    // in the log; one that cannot be opened or made is a failure.
    static Result<std::unique_ptr<LocalLimiter>> open(Options options);

    ~LocalLimiter() override;

    const Limits& limits() const override { return limits_; }
    Task<Result<Decision>> admit(Class of, Keys keys) override;
    Task<Result<Decision>> peek(Class of, Keys keys) override;

    // Never nothing: there is nobody to wait for.
    std::optional<Result<Decision>> admit_now(Class of, const Keys& keys) override;
    std::optional<Result<Decision>> peek_now(Class of, const Keys& keys) override;

private:
    struct Spot;

    LocalLimiter(const Options& options, NewFile file, const Tables& tables);

    std::optional<Result<Decision>> decide(Class of, const Keys& keys, bool charge);

    // False if a key finds no place, which it then does not have; nothing is charged.
    static bool charge(std::span<Spot> spots, Moment now);

    Limits limits_;
    const Clock& clock_;
    NewFile file_;
    Pulse pulse_;
    std::vector<Table> tables_;
    std::array<std::array<Table*, 3>, 3> table_of_{};  // By class and group.
};

}  // namespace parley::limits
