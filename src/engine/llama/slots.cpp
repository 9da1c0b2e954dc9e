#include "engine/llama/slots.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace parley::engine::llama {
namespace {

// For fewer tokens than this, prefill is faster than saving and restoring the state.
constexpr std::size_t worth_keeping = 24;

// The last token is always decoded: the model needs it to predict the next one.
std::span<const Token> beginning_of(const Job& job)
{
    return std::span(job.tokens).first(job.tokens.size() - 1);
}

}  // namespace

Slots::Slots(Decoder& decoder, std::size_t kept_bytes)
    : decoder_(decoder), slots_(decoder.slots()), kept_(kept_bytes)
{
}

std::size_t Slots::busy() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(slots_, [](const Slot& slot) { return slot.job != nullptr; }));
}

bool Slots::place(const std::shared_ptr<Job>& job)
{
    if (busy() == slots_.size()) return false;
    std::size_t fullest = slots_.size();
    std::size_t most = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const std::size_t common = resident(slots_[i], *job);
        if (common <= most) continue;
        most = common;
        fullest = i;
    }
    const std::size_t target = choose_free(fullest);
    const auto wanted = beginning_of(*job);
    if (target != fullest && most >= kept_.known(wanted, job->whose.owner) + worth_keeping)
        keep(fullest);

    std::size_t common = resident(slots_[target], *job);
    make_room(target, *job, common);
    const auto found = kept_.longest(wanted, job->whose);
    if (found.common >= common + worth_keeping && decoder_.restore(target, *found.state))
        common = found.common;
    if (!decoder_.truncate(target, common)) common = 0;

    Slot& slot = slots_[target];
    slot = {.read = Tokens(job->tokens.begin(), job->tokens.begin() + static_cast<long>(common)),
            .job = job,
            .whose = job->whose,
            .used_at = ++now_};
    job->begun = true;
    job->usage.cached_input_tokens =
        static_cast<std::int64_t>(std::min(common, job->prompt_tokens));
    return true;
}

void Slots::leave(std::size_t index)
{
    Slot& slot = slots_[index];
    slot.job = nullptr;
    slot.next.reset();
    slot.logits.clear();
    if (!slot.whose.session.empty()) return;
    slot.read.clear();
    decoder_.truncate(index, 0);
}

void Slots::keep(std::size_t index)
{
    const Slot& slot = slots_[index];
    const Whose& whose = slot.whose;
    if (whose.owner.empty() || slot.read.size() < worth_keeping) return;
    if (kept_.known(slot.read, whose.owner) == slot.read.size()) return;
    kept_.keep(slot.read, decoder_.save(index), whose);
}

std::size_t Slots::known(const Job& job) const
{
    std::size_t most = kept_.known(beginning_of(job), job.whose.owner);
    for (const Slot& slot : slots_) most = std::max(most, resident(slot, job));
    return most;
}

void Slots::close_gap()
{
    const auto is_busy = [](const Slot& slot) { return slot.job != nullptr; };
    const auto first = std::ranges::find_if(slots_, is_busy);
    const auto gap = std::find_if_not(first, slots_.end(), is_busy);
    const auto behind = std::find_if(gap, slots_.end(), is_busy);
    if (behind == slots_.end()) return;
    auto last = std::prev(slots_.end());
    while (!is_busy(*last)) --last;
    const auto from = static_cast<std::size_t>(last - slots_.begin());
    const auto to = static_cast<std::size_t>(gap - slots_.begin());
    keep(to);
    if (!decoder_.restore(to, decoder_.save(from))) {
        gap->read.clear();
        return;
    }
    decoder_.truncate(from, 0);
    *gap = std::exchange(*last, {});
}

void Slots::rest()
{
    std::vector<std::size_t> order(slots_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, std::less{}, [this](std::size_t i) { return slots_[i].used_at; });
    for (const std::size_t i : order)
        if (!slots_[i].whose.session.empty()) keep(i);
    clear();
    decoder_.release_memory();
}

bool Slots::rests() const
{
    return std::ranges::all_of(slots_,
                               [](const Slot& slot) { return !slot.job && slot.used_at == 0; });
}

void Slots::forget(std::string_view gone)
{
    kept_.forget(gone);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (!belongs_to(slots_[i].whose, gone)) continue;
        slots_[i].whose = {};
        if (!slots_[i].job) leave(i);
    }
}

void Slots::write(const PrefixCacheFile& file)
{
    for (std::size_t i = 0; i < slots_.size(); ++i)
        if (!slots_[i].whose.session.empty()) keep(i);
    file.write(kept_);
}

void Slots::clear()
{
    for (Slot& slot : slots_) slot = {};
}

// The length of the job's beginning that a slot holds and the job may reuse.
std::size_t Slots::resident(const Slot& slot, const Job& job) const
{
    if (slot.job || job.whose.owner.empty() || slot.whose.owner != job.whose.owner) return 0;
    return common_prefix(slot.read, beginning_of(job));
}

// The slot with the longest match if it is next to busy ones; otherwise the least recently used
// slot next to them.
std::size_t Slots::choose_free(std::size_t fullest) const
{
    if (fullest < slots_.size() && is_beside_others(fullest)) return fullest;
    std::size_t best = slots_.size();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].job || !is_beside_others(i)) continue;
        if (best == slots_.size() || slots_[i].used_at < slots_[best].used_at) best = i;
    }
    return best;
}

bool Slots::is_beside_others(std::size_t index) const
{
    if (busy() == 0) return true;
    return (index > 0 && slots_[index - 1].job) ||
           (index + 1 < slots_.size() && slots_[index + 1].job);
}

// Saves the slot's state before it is overwritten, unless it is an earlier turn of the same
// session, or nothing of it is lost.
void Slots::make_room(std::size_t index, const Job& job, std::size_t common)
{
    const Slot& slot = slots_[index];
    if (slot.whose.session.empty() || common == slot.read.size()) return;
    if (slot.whose.session != job.whose.session) keep(index);
}

}  // namespace parley::engine::llama
