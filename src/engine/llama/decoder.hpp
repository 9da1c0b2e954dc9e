// Runs the model: decodes tokens of several conversations in one batch, and returns the logits.
// Each conversation has a slot with its state. Slots that are used together should be adjacent:
// llama.cpp computes only adjacent slots at once.
//
// Threads: belongs to the engine's thread. Its compute threads inherit the niceness of the thread
// that makes it.
#pragma once

#include "engine/gguf/placement.hpp"
#include "engine/llama/compute_threads.hpp"
#include "engine/llama/prefix_cache.hpp"
#include "engine/llama/vocabulary.hpp"

#include <atomic>
#include <functional>
#include <span>

struct llama_context;

namespace parley::engine::llama {

class Decoder {
public:
    struct Options {
        std::string path;
        std::int64_t context = 0;  // Tokens of each slot.
        std::int64_t slots = 0;    // 0: at most 16, fewer if memory is short.
        int threads = 1;
        gguf::Placement placement = {};
        std::function<std::uint64_t()> available_memory;  // In bytes; 0: not known.
        std::function<bool(float)> progress = {};         // False: give up.
        const std::atomic<bool>* is_ending = nullptr;     // True: stop in the middle of a batch.
    };

    // Takes as long as the disk needs for the weights. Fails with a message for the operator.
    static Result<std::unique_ptr<Decoder>> load(const Options& options);

    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    std::size_t slots() const { return slots_; }
    std::size_t max_batch() const { return max_batch_; }    // Tokens in one batch.
    std::size_t helpers() const { return helpers_; }        // Threads that may help beside a GPU.
    std::uint64_t gpu_bytes() const { return gpu_bytes_; }  // Memory of the GPUs that it takes.
    std::int64_t context() const { return context_; }

    // Adds a token of `slot` at `position` to the batch: at most max_batch() of them, those of one
    // slot in order, slots in ascending order. With `wants_logits`, logits() returns the logits
    // after it.
    void add(std::size_t slot, Token token, std::size_t position, bool wants_logits);
    std::size_t added() const { return added_.size(); }

    // Decodes the batch. False: the model has failed or must end, and all slots are empty.
    bool decode();

    // The logits after token number `index` of the last batch.
    std::span<const float> logits(std::size_t index) const;

    // Removes everything from `position` on; false if the model cannot remove a part: then all is
    // removed.
    bool truncate(std::size_t slot, std::size_t position);

    // Slots take memory of the machine as they fill; on a GPU they have theirs from the beginning.
    // Whether enough memory is left to fill one more slot.
    bool has_memory_for_slot() const;

    // Bytes of the weights and of the filled parts of the slots. Compute buffers are not included.
    std::uint64_t memory() const;

    // Empties all slots and releases their memory.
    void release_memory();

    PrefixCache::State save(std::size_t slot) const;
    bool restore(std::size_t slot, const PrefixCache::State& state);

private:
    struct Freed {
        void operator()(llama_context* context) const;
    };
    struct Added {
        std::size_t slot;
        Token token;
        std::size_t position;
        bool wants_logits;
    };

    explicit Decoder(const Options& options);

    Result<> load_model(const Options& options);
    Result<> make_context(const Options& options);
    std::int64_t affordable_slots(const Options& options) const;
    static Error failed(const Options& options, const std::string& why);

    const bool on_gpu_;
    const bool whole_on_gpu_;
    const std::size_t max_batch_;
    const std::size_t helpers_;
    ModelHandle model_;
    std::unique_ptr<ComputeThreads> threads_;
    std::unique_ptr<llama_context, Freed> context_handle_;
    std::vector<Added> added_;
    std::vector<Added> decoded_;
    std::size_t slots_ = 0;
    std::int64_t context_ = 0;
    std::size_t words_ = 0;  // The size of the vocabulary.
    std::uint64_t gpu_bytes_ = 0;
    std::uint64_t weights_bytes_ = 0;
    std::uint64_t token_bytes_ = 0;
    std::uint64_t slot_bytes_ = 0;
    std::vector<std::uint64_t> filled_;  // Bytes of each slot.
    std::function<std::uint64_t()> available_memory_;
};

}  // namespace parley::engine::llama
