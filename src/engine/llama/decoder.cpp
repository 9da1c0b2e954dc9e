#include "engine/llama/decoder.hpp"

#include "base/log.hpp"
#include "engine/llama/lazy_cache.hpp"

#include <llama.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace parley::engine::llama {
namespace {

// Defaults: at most this many slots, within a share of the available memory.
constexpr std::int64_t most_slots = 16;
constexpr std::uint64_t share_of_memory = 4;

// Keys and values of one token, as 16-bit numbers.
std::int64_t bytes_per_token(const llama_model* model)
{
    const std::int64_t heads = std::max(1, llama_model_n_head(model));
    const std::int64_t width = llama_model_n_embd(model) / heads * llama_model_n_head_kv(model);
    return width * 2 * 2 * llama_model_n_layer(model);
}

std::int64_t affordable_slots(std::uint64_t slot_bytes, const Decoder::Options& options)
{
    if (options.slots > 0) return options.slots;
    const std::uint64_t count = options.available_memory() / share_of_memory / slot_bytes;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(count), 1, most_slots);
}

bool report(float share, void* progress)
{
    return (*static_cast<const std::function<bool(float)>*>(progress))(share);
}

}  // namespace

void Decoder::Freed::operator()(llama_context* context) const { llama_free(context); }

Result<std::unique_ptr<Decoder>> Decoder::load(const Options& options)
{
    const auto failed = [&](const std::string& why) {
        return Error{Errc::model_unavailable, "The model in " + options.path + " " + why};
    };
    std::unique_ptr<Decoder> made(new Decoder());
    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers = 0;
    auto progress = options.progress;
    if (progress) {
        params.progress_callback = report;
        params.progress_callback_user_data = &progress;
    }
    made->model_.reset(llama_model_load_from_file(options.path.c_str(), params));
    if (!made->model_) return failed("cannot be loaded: see the lines before this one.");
    const llama_model* model = made->model_.get();
    if (llama_model_has_encoder(model) || !llama_model_has_decoder(model))
        return failed("is not a chat model.");

    made->weights_bytes_ = llama_model_size(model);
    made->token_bytes_ = static_cast<std::uint64_t>(bytes_per_token(model));
    made->slot_bytes_ = std::max<std::uint64_t>(
        1, made->token_bytes_ * static_cast<std::uint64_t>(options.context));
    made->available_memory_ = options.available_memory;
    const std::int64_t slots = affordable_slots(made->slot_bytes_, options);
    llama_context_params wanted = llama_context_default_params();
    wanted.n_ctx = static_cast<std::uint32_t>(slots * options.context);
    wanted.n_seq_max = static_cast<std::uint32_t>(slots);
    wanted.n_batch = max_batch;
    wanted.n_ubatch = max_batch;
    wanted.n_outputs_max = static_cast<std::uint32_t>(slots);
    wanted.n_threads = options.threads;
    wanted.n_threads_batch = options.threads;
    wanted.kv_unified = false;  // A stream for each slot: no slot attends to the keys of another.
    wanted.swa_full = true;     // Otherwise a state could not be truncated.
    // Makes decoding 8 to 20% faster. It would slow down prefill beside it, but prefill runs in
    // tiles (schedule.cpp).
    wanted.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
    wanted.no_perf = true;
    made->context_handle_.reset(llama_init_from_model(made->model_.get(), wanted));
    if (!made->context_handle_)
        return failed("needs more memory than is available: set a smaller models.NAME.context.");

    if (!was_zeroed_lazily())
        log::warn(
            "the model's cache takes all of its memory at once: llama.cpp is a shared library",
            log::kv("bytes", made->slot_bytes_ * static_cast<std::uint64_t>(slots)));
    made->threads_ = ComputeThreads::make(options.threads);
    if (!made->threads_) return failed("cannot start its compute threads.");
    llama_attach_threadpool(made->context_handle_.get(), made->threads_->pool(),
                            made->threads_->pool());

    made->slots_ = static_cast<std::size_t>(slots);
    made->filled_.resize(made->slots_);
    made->context_ = llama_n_ctx_seq(made->context_handle_.get());
    made->words_ = static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model)));
    return made;
}

Decoder::~Decoder()
{
    if (context_handle_) llama_detach_threadpool(context_handle_.get());
}

void Decoder::add(std::size_t slot, Token token, std::size_t position, bool wants_logits)
{
    added_.push_back(
        {.slot = slot, .token = token, .position = position, .wants_logits = wants_logits});
    filled_[slot] = std::max(filled_[slot], (position + 1) * token_bytes_);
}

bool Decoder::decode()
{
    std::swap(decoded_, added_);
    added_.clear();
    std::vector<llama_token> tokens;
    std::vector<llama_pos> positions;
    std::vector<std::int32_t> counts(decoded_.size(), 1);
    std::vector<llama_seq_id> slots;
    std::vector<llama_seq_id*> slot_lists;
    std::vector<std::int8_t> wants_logits;
    slots.reserve(decoded_.size());  // Pointers to its elements are taken.
    for (const Added& each : decoded_) {
        tokens.push_back(each.token);
        positions.push_back(static_cast<llama_pos>(each.position));
        slots.push_back(static_cast<llama_seq_id>(each.slot));
        slot_lists.push_back(&slots.back());
        wants_logits.push_back(each.wants_logits ? 1 : 0);
    }
    const llama_batch batch{.n_tokens = static_cast<std::int32_t>(decoded_.size()),
                            .token = tokens.data(),
                            .embd = nullptr,
                            .pos = positions.data(),
                            .n_seq_id = counts.data(),
                            .seq_id = slot_lists.data(),
                            .logits = wants_logits.data()};
    llama_set_n_threads(context_handle_.get(), threads_->count(), threads_->count());
    threads_->begin();
    const int outcome = llama_decode(context_handle_.get(), batch);
    threads_->end();
    if (outcome == 0) return true;
    log::error("the model failed to compute", log::kv("code", outcome),
               log::kv("tokens", decoded_.size()));
    release_memory();
    return false;
}

std::span<const float> Decoder::logits(std::size_t index) const
{
    const float* first =
        llama_get_logits_ith(context_handle_.get(), static_cast<std::int32_t>(index));
    return {first, first ? words_ : 0};
}

bool Decoder::truncate(std::size_t slot, std::size_t position)
{
    llama_memory_t memory = llama_get_memory(context_handle_.get());
    const auto id = static_cast<llama_seq_id>(slot);
    if (llama_memory_seq_rm(memory, id, static_cast<llama_pos>(position), -1)) return true;
    llama_memory_seq_rm(memory, id, -1, -1);
    return false;
}

bool Decoder::has_memory_for_slot() const
{
    const std::uint64_t available = available_memory_();
    return available == 0 || available >= slot_bytes_;
}

std::uint64_t Decoder::memory() const
{
    return std::accumulate(filled_.begin(), filled_.end(), weights_bytes_);
}

void Decoder::release_memory()
{
    std::ranges::fill(filled_, 0);
    llama_memory_clear(llama_get_memory(context_handle_.get()), true);
}

PrefixCache::State Decoder::save(std::size_t slot) const
{
    llama_context* context = context_handle_.get();
    const auto id = static_cast<llama_seq_id>(slot);
    PrefixCache::State state(llama_state_seq_get_size(context, id));
    state.resize(llama_state_seq_get_data(context, state.data(), state.size(), id));
    return state;
}

bool Decoder::restore(std::size_t slot, const PrefixCache::State& state)
{
    const auto id = static_cast<llama_seq_id>(slot);
    filled_[slot] = std::max<std::uint64_t>(filled_[slot], state.size());
    if (llama_state_seq_set_data(context_handle_.get(), state.data(), state.size(), id) > 0)
        return true;
    llama_memory_seq_rm(llama_get_memory(context_handle_.get()), id, -1, -1);
    return false;
}

}  // namespace parley::engine::llama
