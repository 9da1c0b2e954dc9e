#include "engine/llama/decoder.hpp"

#include "base/log.hpp"
#include "engine/llama/early_end.hpp"
#include "engine/llama/gpu.hpp"
#include "engine/llama/lazy_cache.hpp"
#include "engine/llama/weights.hpp"

#include <llama.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace parley::engine::llama {
namespace {

// Defaults: at most this many slots, within a share of the available memory.
constexpr std::int64_t most_slots = 16;
constexpr std::uint64_t share_of_memory = 4;

// Tokens in one batch. A GPU needs more of them to be busy, and is still done sooner.
constexpr std::size_t system_batch = 256;
constexpr std::size_t gpu_batch = 512;

constexpr std::size_t most_helpers = 7;

// Keys and values of one token, as 16-bit numbers.
std::int64_t bytes_per_token(const llama_model* model)
{
    const std::int64_t heads = std::max(1, llama_model_n_head(model));
    const std::int64_t width = llama_model_n_embd(model) / heads * llama_model_n_head_kv(model);
    return width * 2 * 2 * llama_model_n_layer(model);
}

}  // namespace

void Decoder::Freed::operator()(llama_context* context) const { llama_free(context); }

Decoder::Decoder(const Options& options)
    : on_gpu_(options.placement.gpu_layers > 0),
      whole_on_gpu_(options.placement.whole),
      max_batch_(on_gpu_ ? gpu_batch : system_batch),
      helpers_(whole_on_gpu_ ? std::min(most_helpers, static_cast<std::size_t>(options.threads) - 1)
                             : 0),
      available_memory_(options.available_memory)
{
}

Error Decoder::failed(const Options& options, const std::string& why)
{
    return {Errc::model_unavailable, "The model in " + options.path + " " + why};
}

Result<std::unique_ptr<Decoder>> Decoder::load(const Options& options)
{
    std::unique_ptr<Decoder> made(new Decoder(options));
    const GpuLoading loading(made->on_gpu_);
    if (auto loaded = made->load_model(options); !loaded) return loaded.error();
    if (auto prepared = made->make_context(options); !prepared) return prepared.error();
    made->gpu_bytes_ = loading.taken();
    return made;
}

Result<> Decoder::load_model(const Options& options)
{
    model_ = load_weights(options.path, options.placement.gpu_layers, options.progress);
    if (!model_) return failed(options, "cannot be loaded: see the lines before this one.");
    if (llama_model_has_encoder(model_.get()) || !llama_model_has_decoder(model_.get()))
        return failed(options, "is not a chat model.");
    weights_bytes_ = llama_model_size(model_.get());
    token_bytes_ = static_cast<std::uint64_t>(bytes_per_token(model_.get()));
    slot_bytes_ =
        std::max<std::uint64_t>(1, token_bytes_ * static_cast<std::uint64_t>(options.context));
    words_ = static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_.get())));
    return {};
}

std::int64_t Decoder::affordable_slots(const Options& options) const
{
    if (options.slots > 0) return options.slots;
    const std::uint64_t count = available_memory_() / share_of_memory / slot_bytes_;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(count), 1, most_slots);
}

Result<> Decoder::make_context(const Options& options)
{
    const std::int64_t slots = affordable_slots(options);
    llama_context_params wanted = llama_context_default_params();
    wanted.n_ctx = static_cast<std::uint32_t>(slots * options.context);
    wanted.n_seq_max = static_cast<std::uint32_t>(slots);
    wanted.n_batch = static_cast<std::uint32_t>(max_batch_);
    wanted.n_ubatch = wanted.n_batch;
    wanted.n_outputs_max = wanted.n_seq_max;
    wanted.n_threads = options.threads;
    wanted.n_threads_batch = options.threads;
    wanted.kv_unified = false;  // A stream for each slot: no slot attends to the keys of another.
    wanted.swa_full = true;     // Otherwise a state could not be truncated.
    // Makes decoding 8 to 20% faster. It would slow down prefill beside it, but prefill runs in
    // tiles (schedule.cpp).
    wanted.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
    wanted.no_perf = true;
    end_early(wanted, options.is_ending);
    context_handle_.reset(llama_init_from_model(model_.get(), wanted));
    if (!context_handle_)
        return failed(options, on_gpu_ ? "needs more memory than the GPU has left: set a smaller "
                                         "models.NAME.gpu_layers, .context or .slots."
                                       : "needs more memory than is available: set a smaller "
                                         "models.NAME.context.");
    if (!on_gpu_ && !was_zeroed_lazily())
        log::warn(
            "the model's cache takes all of its memory at once: llama.cpp is a shared library",
            log::kv("bytes", slot_bytes_ * static_cast<std::uint64_t>(slots)));

    // The GPU computes nearly everything: more threads would wait for it, and for each other.
    threads_ = ComputeThreads::make(whole_on_gpu_ ? 1 : options.threads);
    if (!threads_) return failed(options, "cannot start its compute threads.");
    llama_attach_threadpool(context_handle_.get(), threads_->pool(), threads_->pool());
    slots_ = static_cast<std::size_t>(slots);
    filled_.resize(slots_);
    context_ = llama_n_ctx_seq(context_handle_.get());
    return {};
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
    if (outcome != was_ended)
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
    if (whole_on_gpu_) return true;
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
