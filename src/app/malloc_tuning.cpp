#include "app/malloc_tuning.hpp"

#include <malloc.h>

namespace parley::app {

void return_large_blocks()
{
    constexpr int large = 1 << 20;
    ::mallopt(M_MMAP_THRESHOLD, large);
}

}  // namespace parley::app
