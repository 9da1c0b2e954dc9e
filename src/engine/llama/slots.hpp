// The slots of conversations that are being computed, and the reuse of earlier states: the old
// content of a slot serves its owner's next question with the same prefix, and so do states in the
// PrefixCache.
//
// Threads: belongs to the engine's thread.
#pragma once

#include "engine/llama/decoder.hpp"
#include "engine/llama/job.hpp"
#include "engine/llama/prefix_cache_file.hpp"

namespace parley::engine::llama {

class Slots {
public:
    struct Slot {
        Tokens read = {};                    // The tokens in this slot.
        std::shared_ptr<Job> job = nullptr;  // Null: free; its tokens may be reused.
        std::optional<Token> next = {};  // Sampled last, not decoded yet. None: still in prefill,
        std::vector<float> logits = {};  // or a token is still to be sampled from these.
        Whose whose = {};                // The owner of the tokens.
        std::uint64_t used_at = 0;
        std::uint64_t waited = 0;  // Steps since its last prefill.
    };

    Slots(Decoder& decoder, std::size_t kept_bytes);

    std::size_t count() const { return slots_.size(); }
    Slot& operator[](std::size_t index) { return slots_[index]; }
    std::size_t busy() const;

    // Gives the job a slot with the longest known prefix of its owner. False: no slot is free.
    bool place(const std::shared_ptr<Job>& job);

    // Releases the slot of a job. A conversation without a session is removed from it.
    void leave(std::size_t index);

    // Copies the state of a slot to the cache, for its owner's questions with the same prefix.
    void keep(std::size_t index);

    // The number of this job's tokens that are already computed.
    std::size_t known(const Job& job) const;

    // Makes the jobs adjacent again after one has ended: moves the last one into the gap.
    void close_gap();

    // While no job runs: releases the memory of all slots. States of sessions are cached first, the
    // newest ones, as many as fit.
    void rest();
    bool rests() const;  // All slots are empty.

    // Bytes of the weights, the conversations and the cache.
    std::uint64_t memory() const { return decoder_.memory() + kept_.bytes(); }

    void forget(std::string_view gone);  // A session, or a user.
    void clear();                        // After a failure of the model: removes all states.

    // Over a restart.
    void read(PrefixCacheFile& file) { file.read(kept_); }
    void write(const PrefixCacheFile& file);

private:
    std::size_t resident(const Slot& slot, const Job& job) const;
    std::size_t choose_free(std::size_t fullest) const;
    bool is_beside_others(std::size_t index) const;
    void make_room(std::size_t index, const Job& job, std::size_t common);

    Decoder& decoder_;
    std::vector<Slot> slots_;
    PrefixCache kept_;
    std::uint64_t now_ = 0;
};

}  // namespace parley::engine::llama
