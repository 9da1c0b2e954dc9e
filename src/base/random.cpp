#include "base/random.hpp"

#include "base/base62.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <utility>

namespace parley {
namespace {

// A fork copies the parent's memory: without this counter, both processes would continue with the
// same bytes.
std::atomic<unsigned> forks = 0;

void prepare()
{
    static const bool ready = [] {
        if (sodium_init() < 0)
            throw std::runtime_error("The system's random number generator failed.");
        pthread_atfork(nullptr, nullptr, [] { ++forks; });
        return true;
    }();
    static_cast<void>(ready);
}

// Bytes of one kernel call, handed out in pieces and erased when used.
class Pool {
public:
    std::byte next()
    {
        if (used_ == bytes_.size() || forks_ != forks.load(std::memory_order_relaxed)) fill();
        return std::exchange(bytes_[used_++], std::byte{0});
    }

private:
    void fill()
    {
        prepare();
        forks_ = forks.load(std::memory_order_relaxed);
        randombytes_buf(bytes_.data(), bytes_.size());
        used_ = 0;
    }

    std::array<std::byte, 512> bytes_{};
    std::size_t used_ = bytes_.size();
    unsigned forks_ = 0;
};

Pool& pool()
{
    thread_local Pool pool;
    return pool;
}

}  // namespace

void random_bytes(std::span<std::byte> out)
{
    Pool& source = pool();
    for (std::byte& byte : out) byte = source.next();
}

void append_random_base62(std::string& out, std::size_t count)
{
    Pool& source = pool();
    while (count > 0) {
        // Skips two of 64 equally likely numbers, so that the others stay equally likely.
        const auto number = std::to_integer<unsigned>(source.next()) & 63U;
        if (number >= base62_alphabet.size()) continue;
        out += base62_alphabet[number];
        --count;
    }
}

std::string random_base62(std::size_t count)
{
    std::string out;
    out.reserve(count);
    append_random_base62(out, count);
    return out;
}

bool constant_time_equal(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace parley
