// The memory that all requests of a server may use together, and the share of one payer: a user, or
// the network of a client's address. A payer that uses nothing may always take one amount, so that
// a large response is possible at all.
//
// Threads: an Allowance may be used from any thread, a Share by one at a time.
#pragma once

#include "base/mutex.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <unordered_map>

namespace parley::http {

class Allowance {
public:
    Allowance(std::size_t all, std::size_t each) : all_(all), each_(each) {}

    // False, and nothing is taken, if that would be too much. A payer without a name is limited by
    // the total only.
    bool take(const std::string& payer, std::size_t bytes);
    void give_back(const std::string& payer, std::size_t bytes);

    std::size_t taken() const { return taken_.load(); }
    std::size_t payers() const;  // Payers that hold memory.

private:
    struct Shard {
        mutable Mutex mutex;
        std::unordered_map<std::string, std::size_t> taken GUARDED_BY(mutex);  // Never 0.
    };

    Shard& shard_of(const std::string& payer);
    bool take_of_share(const std::string& payer, std::size_t bytes);
    void give_back_to_share(const std::string& payer, std::size_t bytes);

    const std::size_t all_;
    const std::size_t each_;
    std::atomic<std::size_t> taken_{0};
    std::array<Shard, 16> shards_;
};

// The memory of one request. It is released on destruction.
class Share {
public:
    explicit Share(Allowance& allowance) : allowance_(allowance) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { reset(); }

    // Releases the memory that was taken before.
    void charge_to(std::string payer);
    bool is_empty() const { return taken_ == 0; }
    bool take(std::size_t bytes);
    void shrink_to(std::size_t bytes);
    void reset();

private:
    Allowance& allowance_;
    std::string payer_;
    std::size_t taken_ = 0;
};

}  // namespace parley::http
