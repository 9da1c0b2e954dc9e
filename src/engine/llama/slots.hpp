// Where conversations lie while they are computed, and which of them need not be read from their
// beginning: what a slot still holds from earlier serves its owner's next question that begins
// alike, and so does what was put aside in PrefixCache.
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
        Tokens read = {};                    // What the model has read here.
        std::shared_ptr<Job> job = nullptr;  // Null: free; what was read may serve again.
        std::optional<Token> next = {};      // Written last, not read yet. None: still reading.
        Whose whose = {};                    // Whose words these are.
        std::uint64_t used_at = 0;
        std::uint64_t waited = 0;  // Steps since it could last read something.
    };

    Slots(Decoder& decoder, std::size_t kept_bytes);

    std::size_t count() const { return slots_.size(); }
    Slot& operator[](std::size_t index) { return slots_[index]; }
    std::size_t busy() const;

    // Gives the job a slot that holds as much of its beginning as is known of its owner's words.
    // False: none is free.
    bool place(const std::shared_ptr<Job>& job);

    // The job is done with its slot. Nothing stays there of a conversation without a session.
    void leave(std::size_t index);

    // Puts what a slot has read by now aside, for its owner's questions that begin alike.
    void keep(std::size_t index);

    // How much of this job's text need not be read.
    std::size_t known(const Job& job) const;

    // Lets jobs lie side by side again after one between them has left: moves the last one there.
    void close_gap();

    // While no job runs: gives the memory of all slots back. What sessions may need again is put
    // aside first, the newest of it, as much as there is room for.
    void rest();
    bool rests() const;  // Nothing lies in any slot.

    // Bytes: the model's weights, conversations, and what is put aside of them.
    std::uint64_t memory() const { return decoder_.memory() + kept_.bytes(); }

    void forget(std::string_view gone);  // A session, or a user.
    void clear();                        // After the model failed: nothing is known any more.

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
