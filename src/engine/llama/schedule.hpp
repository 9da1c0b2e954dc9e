// Schedules the steps of the model for all jobs. In each step every decoding job gets one token;
// then a part of the waiting prompts is prefilled, limited to a short time while others decode: a
// long prompt never stops running answers. The job with the shortest rest of its prompt comes
// first, but no job waits forever.
//
// A common prefix of two jobs of one owner is computed once: the second job waits for it. Jobs of
// other owners do not wait, because the wait would reveal the text (whose.hpp). A job whose client
// has disconnected is removed before the next step. The grammar of one answer at most may search
// the whole vocabulary in a step; others that need it wait for the next steps, and take turns.
//
// Threads: belongs to the engine's thread; answers are posted to the loops, once per loop and step.
#pragma once

#include "engine/llama/helpers.hpp"
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

    // The prompt cache, over a restart.
    void read(PrefixCacheFile& file) { slots_.read(file); }
    void write(const PrefixCacheFile& file) { slots_.write(file); }

    void fail_all();  // All unfinished jobs.

    bool idle() const { return waiting_.empty() && slots_.busy() == 0; }

    // While idle: releases the memory of answers.
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
    void sample_delayed();
    void sample_next(std::size_t slot, std::span<const float> logits);
    void sample_all(std::span<const std::size_t> writing);
    void go_on(std::size_t slot, Token token);
    void end(std::size_t slot, StopReason reason);
    void fail(std::size_t slot, Error error);
    void send();

    Decoder& decoder_;
    const Vocabulary& vocabulary_;
    Slots slots_;
    std::deque<std::shared_ptr<Job>> waiting_;
    std::vector<std::shared_ptr<Job>> ended_;
    double small_per_second_;  // Measured prefill speed in small batches.
    double tiled_per_second_;  // The same in large batches.
    std::size_t steps_with_gap_ = 0;
    Helpers helpers_;
    bool searched_all_ = false;    // In this step, a grammar tried the whole vocabulary.
    std::size_t next_search_ = 0;  // The slot behind the one whose grammar did it last.
};

// Sends the updates of these jobs to their loops, once per loop. `ended` jobs must not be used
// after this.
void send_news(std::vector<std::shared_ptr<Job>> jobs);

}  // namespace parley::engine::llama
