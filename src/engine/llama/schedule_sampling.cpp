#include "engine/llama/schedule.hpp"

#include <utility>

namespace parley::engine::llama {
namespace {

Error grammar_failed()
{
    return {Errc::internal, "The grammar of the answer allows no further token."};
}

}  // namespace

// Those that had to wait in an earlier step.
void Schedule::sample_delayed()
{
    const std::size_t first = next_search_;
    for (std::size_t i = 0; i < slots_.count() && !searched_all_; ++i) {
        const std::size_t index = (first + i) % slots_.count();
        if (slots_[index].logits.empty()) continue;
        const std::vector<float> logits = std::exchange(slots_[index].logits, {});
        sample_next(index, logits);
    }
}

// All tokens of this job are decoded: samples the next one.
void Schedule::sample_next(std::size_t index, std::span<const float> logits)
{
    Slots::Slot& slot = slots_[index];
    Job& job = *slot.job;
    const Sampler sampler(logits, job.parameters, std::span(slot.read).subspan(job.prompt_tokens));
    if (!job.grammar) return go_on(index, sampler.sampled());

    auto chosen = job.grammar->sample(sampler, false);
    if (std::holds_alternative<Grammar::NeedsAll>(chosen)) {
        if (std::exchange(searched_all_, true)) {
            slot.next.reset();
            slot.logits.assign(logits.begin(), logits.end());
            return;
        }
        next_search_ = index + 1;
        chosen = job.grammar->sample(sampler, true);
    }
    const auto* token = std::get_if<Token>(&chosen);
    const bool fits = token && (vocabulary_.ends_turn(*token) || job.grammar->accept(*token));
    if (!fits) return fail(index, grammar_failed());
    go_on(index, *token);
}

// Samples the next token of each of these slots, from the logits of the batch, which has one token
// of each.
void Schedule::sample_all(std::span<const std::size_t> writing)
{
    std::vector<std::span<const float>> logits;
    std::vector<std::size_t> free;  // Without a grammar, which would have to be asked in turn.
    for (std::size_t i = 0; i < writing.size(); ++i) {
        logits.push_back(decoder_.logits(i));
        if (!slots_[writing[i]].job->grammar) free.push_back(i);
    }
    std::vector<Token> tokens(writing.size());
    helpers_.for_each(free.size(), [&](std::size_t which) {
        const std::size_t i = free[which];
        const Slots::Slot& slot = slots_[writing[i]];
        tokens[i] = sample(logits[i], slot.job->parameters,
                           std::span(slot.read).subspan(slot.job->prompt_tokens));
    });
    for (std::size_t i = 0; i < writing.size(); ++i) {
        if (slots_[writing[i]].job->grammar)
            sample_next(writing[i], logits[i]);
        else
            go_on(writing[i], tokens[i]);
    }
}

void Schedule::go_on(std::size_t index, Token token)
{
    Slots::Slot& slot = slots_[index];
    Job& job = *slot.job;
    if (vocabulary_.ends_turn(token)) return end(index, StopReason::end_turn);

    ++job.usage.output_tokens;
    std::string shown = job.text.add(vocabulary_.piece(token));
    if (!shown.empty()) job.news.deltas.push_back(std::move(shown));
    if (job.text.stopped()) return end(index, StopReason::stop_sequence);
    const bool is_full = static_cast<std::int64_t>(slot.read.size()) + 1 >= decoder_.context();
    if (is_full || (job.max_output_tokens && job.usage.output_tokens >= *job.max_output_tokens))
        return end(index, StopReason::max_tokens);
    slot.next = token;
}

void Schedule::end(std::size_t index, StopReason reason)
{
    const std::shared_ptr<Job> job = slots_[index].job;
    std::string rest = job->text.rest();
    if (!rest.empty()) job->news.deltas.push_back(std::move(rest));
    job->news.end = reason;
    ended_.push_back(job);
    slots_.leave(index);
}

void Schedule::fail(std::size_t index, Error error)
{
    const std::shared_ptr<Job> job = slots_[index].job;
    job->news.error = std::move(error);
    ended_.push_back(job);
    slots_.leave(index);
}

}  // namespace parley::engine::llama
