// Computations of llama.cpp that end early, because the program ends: a batch of a large model
// takes many seconds.
#pragma once

#include <llama.h>

#include <atomic>

namespace parley::engine::llama {

// The outcome of llama_decode() and llama_encode() after an early end.
inline constexpr int was_ended = 2;

// A computation ends soon after the flag, which must outlive the context, becomes true.
inline void end_early(llama_context_params& params, const std::atomic<bool>* flag)
{
    if (!flag) return;
    params.abort_callback = [](void* data) -> bool {
        return *static_cast<const std::atomic<bool>*>(data);
    };
    params.abort_callback_data = const_cast<std::atomic<bool>*>(flag);
}

}  // namespace parley::engine::llama
