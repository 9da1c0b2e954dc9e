#include "engine/llama/schedule.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace parley::engine::llama {
namespace {

using Clock = std::chrono::steady_clock;

// The maximum time of prefill in a step while other jobs decode.
constexpr double seconds_to_read = 0.06;
constexpr std::size_t least_to_read = 8;

// Batches of at least this size are prefilled several times faster, especially in long
// conversations: llama.cpp's attention processes them as a tile, and smaller ones key by key. So
// they may take longer.
constexpr std::size_t tile = 64;
constexpr double seconds_for_tile = 0.6;

constexpr double supposed_tokens_per_second = 200;  // Before the first measurement.

// Shorter prompts go first. Each step of waiting counts as this many tokens less, so that long
// prompts are not delayed forever.
constexpr std::uint64_t tokens_per_step_waited = 16;

// It is worth waiting for another job's prefill if it saves at least this many tokens.
constexpr std::size_t worth_waiting_for = 24;

// A gap between slots that lasts this many steps costs more than closing it.
constexpr std::size_t patience_with_gap = 16;

}  // namespace

Schedule::Schedule(Decoder& decoder, const Vocabulary& vocabulary, std::size_t kept_bytes)
    : decoder_(decoder),
      vocabulary_(vocabulary),
      slots_(decoder, kept_bytes),
      small_per_second_(supposed_tokens_per_second),
      tiled_per_second_(supposed_tokens_per_second),
      helpers_(decoder.helpers())
{
}

void Schedule::forget(std::string_view gone)
{
    slots_.forget(gone);
    for (const auto& job : waiting_)  // Jobs without a slot yet must not leave a state behind
                                      // later.
        if (belongs_to(job->whose, gone)) job->whose = {};
}

void Schedule::step()
{
    drop_left();
    admit();
    searched_all_ = false;
    sample_delayed();
    decode_step();
    send();
    prefill();
    send();
}

void Schedule::drop_left()
{
    const auto is_left = [](const std::shared_ptr<Job>& job) { return job->abandoned.load(); };
    for (auto& job : waiting_)
        if (is_left(job)) ended_.push_back(std::exchange(job, nullptr));
    std::erase(waiting_, nullptr);
    for (std::size_t i = 0; i < slots_.count(); ++i) {
        if (!slots_[i].job || !is_left(slots_[i].job)) continue;
        ended_.push_back(slots_[i].job);
        slots_.leave(i);
    }
}

void Schedule::admit()
{
    for (auto& job : waiting_) {
        if (slots_.busy() == slots_.count()) break;
        if (slots_.busy() > 0 && !decoder_.has_memory_for_slot()) break;
        if (!is_being_prefilled(*job) && slots_.place(job)) job = nullptr;
    }
    std::erase(waiting_, nullptr);

    std::size_t runs = 0;  // Runs of neighbouring busy slots.
    for (std::size_t i = 0; i < slots_.count(); ++i)
        runs += slots_[i].job && (i == 0 || !slots_[i - 1].job);
    steps_with_gap_ = runs > 1 ? steps_with_gap_ + 1 : 0;
    if (steps_with_gap_ < patience_with_gap) return;
    slots_.close_gap();
    steps_with_gap_ = 0;
}

// Whether another job of the same owner is prefilling a beginning of this text that is not cached
// yet.
bool Schedule::is_being_prefilled(const Job& job)
{
    if (job.whose.owner.empty()) return false;
    const std::size_t known = slots_.known(job);
    for (std::size_t i = 0; i < slots_.count(); ++i) {
        const Slots::Slot& slot = slots_[i];
        if (!slot.job || slot.next || slot.read.size() >= slot.job->instruction_tokens) continue;
        if (slot.whose.owner != job.whose.owner) continue;
        if (slot.job->instruction_tokens < known + worth_waiting_for) continue;
        const auto beginning = std::span(slot.job->tokens).first(slot.job->instruction_tokens);
        if (common_prefix(beginning, job.tokens) == beginning.size()) return true;
    }
    return false;
}

void Schedule::decode_step()
{
    std::vector<std::size_t> writing;
    for (std::size_t i = 0; i < slots_.count(); ++i) {
        const auto next = slots_[i].next;
        if (!next) continue;
        decoder_.add(i, *next, slots_[i].read.size(), true);
        slots_[i].read.push_back(*next);
        writing.push_back(i);
    }
    if (writing.empty()) return;
    if (!decoder_.decode()) return fail_all();
    sample_all(writing);
}

void Schedule::prefill()
{
    bool somebody_writes = false;
    for (std::size_t i = 0; i < slots_.count(); ++i) somebody_writes |= slots_[i].next.has_value();
    const auto shares = allocate_prefill(somebody_writes ? affordable() : decoder_.max_batch());
    if (shares.empty()) return;

    std::vector<std::size_t> last;  // The index of each job's last token in the batch.
    for (const Share& share : shares) {
        Slots::Slot& slot = slots_[share.slot];
        for (std::size_t i = 0; i < share.tokens; ++i) {
            const std::size_t at = slot.read.size();
            slot.read.push_back(slot.job->tokens[at]);
            decoder_.add(share.slot, slot.read.back(), at, at + 1 == slot.job->tokens.size());
        }
        last.push_back(decoder_.added() - 1);
    }
    const auto tokens = static_cast<double>(decoder_.added());
    const auto begun = Clock::now();
    if (!decoder_.decode()) return fail_all();
    if (tokens >= least_to_read) {
        const std::chrono::duration<double> took = Clock::now() - begun;
        double& known = tokens >= tile ? tiled_per_second_ : small_per_second_;
        known = 0.7 * known + 0.3 * tokens / std::max(took.count(), 1e-6);
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const Slots::Slot& slot = slots_[shares[i].slot];
        if (slot.read.size() == slot.job->instruction_tokens) slots_.keep(shares[i].slot);
        if (slot.read.size() == slot.job->tokens.size())
            sample_next(shares[i].slot, decoder_.logits(last[i]));
    }
}

// The number of tokens to prefill in a step while other jobs decode.
std::size_t Schedule::affordable() const
{
    const bool in_tiles = tiled_per_second_ * seconds_for_tile >= tile;
    const double tokens = seconds_to_read * (in_tiles ? tiled_per_second_ : small_per_second_);
    return std::clamp(static_cast<std::size_t>(tokens), in_tiles ? tile : least_to_read,
                      decoder_.max_batch());
}

// The tokens that each slot prefills in this step. Prefill stops at the end of a shared beginning,
// so that it can be cached.
std::vector<Schedule::Share> Schedule::allocate_prefill(std::size_t tokens)
{
    struct Reader {
        std::size_t slot = 0;
        std::int64_t rank = 0;
    };
    std::vector<Reader> readers;
    for (std::size_t i = 0; i < slots_.count(); ++i) {
        Slots::Slot& slot = slots_[i];
        if (!slot.job || slot.next || !slot.logits.empty()) continue;
        const std::size_t left = slot.job->tokens.size() - slot.read.size();
        readers.push_back(
            {.slot = i,
             .rank = static_cast<std::int64_t>(left) -
                     static_cast<std::int64_t>(slot.waited++ * tokens_per_step_waited)});
    }
    std::ranges::sort(readers, {}, &Reader::rank);

    std::vector<Share> shares;
    for (const Reader& reader : readers) {
        if (tokens == 0) break;
        Slots::Slot& slot = slots_[reader.slot];
        const std::size_t read = slot.read.size();
        const std::size_t until = read < slot.job->instruction_tokens ? slot.job->instruction_tokens
                                                                      : slot.job->tokens.size();
        shares.push_back({.slot = reader.slot, .tokens = std::min(tokens, until - read)});
        tokens -= shares.back().tokens;
        slot.waited = 0;
    }
    std::ranges::sort(shares, {}, &Share::slot);
    return shares;
}

void Schedule::fail_all()
{
    for (std::size_t i = 0; i < slots_.count(); ++i)
        if (slots_[i].job) ended_.push_back(slots_[i].job);
    for (auto& job : waiting_) ended_.push_back(std::move(job));
    waiting_.clear();
    slots_.clear();
    for (const auto& job : ended_)
        if (!job->news.end)
            job->news.error = Error{Errc::model_unavailable, "The model stopped working"};
    send();
}

void Schedule::send()
{
    std::vector<std::shared_ptr<Job>> jobs = std::exchange(ended_, {});
    for (std::size_t i = 0; i < slots_.count(); ++i)
        if (slots_[i].job && !slots_[i].job->news.empty()) jobs.push_back(slots_[i].job);
    send_news(std::move(jobs));
}

void send_news(std::vector<std::shared_ptr<Job>> jobs)
{
    struct Delivery {
        std::shared_ptr<Job> job;  // Destroyed on its loop, after the last delivery.
        JobUpdate news;
    };
    while (!jobs.empty()) {
        const Executor loop = jobs.front()->loop.get_executor();
        const auto rest = std::ranges::partition(
            jobs, [&](const auto& job) { return job->loop.get_executor() == loop; });
        std::vector<Delivery> letters;
        for (auto each = jobs.begin(); each != rest.begin(); ++each) {
            (*each)->news.begun = (*each)->begun;
            (*each)->news.usage = (*each)->usage;
            JobUpdate news = std::exchange((*each)->news, {});
            letters.push_back({.job = std::move(*each), .news = std::move(news)});
        }
        jobs.erase(jobs.begin(), rest.begin());
        boost::asio::post(loop, [letters = std::move(letters)]() mutable {
            for (Delivery& letter : letters)
                if (!letter.news.empty()) letter.job->listener->hear(std::move(letter.news));
        });
    }
}

}  // namespace parley::engine::llama
