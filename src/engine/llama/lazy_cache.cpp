#include "engine/llama/lazy_cache.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <ggml-backend.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {
std::atomic<bool> was_used = false;
}

extern "C" {
// The names that the linker's --wrap gives to the function and its replacement.
void clear_eagerly(ggml_backend_buffer_t buffer,
                   std::uint8_t value) asm("__real_ggml_backend_buffer_clear");
void clear_lazily(ggml_backend_buffer_t buffer,
                  std::uint8_t value) asm("__wrap_ggml_backend_buffer_clear");
}

void clear_lazily(ggml_backend_buffer_t buffer, std::uint8_t value)
{
    if (value != 0 || !ggml_backend_buffer_is_host(buffer)) return clear_eagerly(buffer, value);
    was_used = true;
    parley::engine::llama::zero_lazily(
        static_cast<std::byte*>(ggml_backend_buffer_get_base(buffer)),
        ggml_backend_buffer_get_size(buffer));
}

namespace parley::engine::llama {

bool was_zeroed_lazily() { return was_used; }

void zero_lazily(std::byte* begin, std::size_t size)
{
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
    const std::size_t whole = size > before ? (size - before) / page * page : 0;
    if (whole == 0 || ::madvise(begin + before, whole, MADV_DONTNEED) != 0) {
        std::memset(begin, 0, size);
        return;
    }
    // A huge page would take the memory of hundreds of tokens for the first one.
    ::madvise(begin + before, whole, MADV_NOHUGEPAGE);
    std::memset(begin, 0, before);
    std::memset(begin + before + whole, 0, size - before - whole);
}

}  // namespace parley::engine::llama
