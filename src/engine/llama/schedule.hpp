// What the model computes next, for all jobs at once. In each step everybody who writes gets one
// token; then those who still read get a part of their prompts read, so much as takes a short time
// while others write: a long prompt never stops running answers. Who has least left to read comes
// first, but nobody waits forever.
//
// A text that two jobs of one owner begin with is read once: who comes while it is being read waits
// for it. Jobs of others do not, or the wait would tell them what is being read (whose.hpp).
// A job that nobody listens to leaves before the next step.
//
// Threads: belongs to the engine's thread; answers are posted to the loops, once per loop and step.
#pragma once

#include "engine/llama/slots.hpp"

#include <deque>

namespace parley::engine::llama {

class Schedule {
public:
    // Both must outlive it.
    Schedule(Decoder& decoder, const Vocabulary& vocabulary, std::size_t kept_bytes);
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    void add(std::shared_ptr<Job> job) { waiting_.push_back(std::move(job)); }
    void forget(std::string_view gone);  // A session, or a user.

    // What is known, over a restart.
    void read(PrefixCacheFile& file) { slots_.read(file); }
    void write(const PrefixCacheFile& file) { slots_.write(file); }

    void fail_all();  // Whatever is not done.

    bool idle() const { return waiting_.empty() && slots_.busy() == 0; }

    // While it is idle: gives memory back that answers have taken.
    void rest() { slots_.rest(); }
    bool rests() const { return slots_.rests(); }

    std::uint64_t memory() const { return slots_.memory(); }

    void step();

private:
    struct Share {
        std::size_t slot = 0;
        std::size_t tokens = 0;
    };

    void drop_left();
    void admit();
    bool is_being_prefilled(const Job& job);
    void decode_step();
    void prefill();
    std::size_t affordable() const;
    std::vector<Share> allocate_prefill(std::size_t tokens);
    void go_on(std::size_t slot, std::size_t answer);
    void end(std::size_t slot, StopReason reason);
    void send();

    Decoder& decoder_;
    const Vocabulary& vocabulary_;
    Slots slots_;
    std::deque<std::shared_ptr<Job>> waiting_;
    std::vector<std::shared_ptr<Job>> ended_;
    double small_per_second_;  // Tokens read in small pieces, as measured lately.
    double tiled_per_second_;  // And in larger ones.
    std::size_t steps_with_gap_ = 0;
};

// Tells the loops of these jobs their news, once per loop. Jobs that are `ended` must not be used
// after this.
void send_news(std::vector<std::shared_ptr<Job>> jobs);

}  // namespace parley::engine::llama
