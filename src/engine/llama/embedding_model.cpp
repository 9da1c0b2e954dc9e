#include "engine/llama/embedding_model.hpp"

#include "base/log.hpp"
#include "engine/llama/early_end.hpp"
#include "engine/llama/weights.hpp"

#include <llama.h>

#include <algorithm>

namespace parley::engine::llama {
namespace {

// Encoders have no memory and read both ways; a language model that was trained further reads in
// order, and its file says how it pools.
llama_context_params embedding_params(const llama_model* model,
                                      const EmbeddingModel::Options& options)
{
    const EmbeddingShape& shape = options.shape;
    llama_context_params params = llama_context_default_params();
    params.n_ctx = static_cast<std::uint32_t>(shape.batch);
    params.n_batch = static_cast<std::uint32_t>(shape.step);
    params.n_ubatch = params.n_batch;
    params.n_seq_max = EmbeddingModel::max_texts;
    params.kv_unified = true;  // Else each text would have an equal share of the tokens.
    params.embeddings = true;
    params.n_threads = options.threads;
    params.n_threads_batch = options.threads;
    end_early(params, options.is_ending);
    params.no_perf = true;
    if (!number_in(model, "pooling_type")) params.pooling_type = LLAMA_POOLING_TYPE_MEAN;
    return params;
}

// The texts as one batch: each is a sequence of its own, which sees no other.
class EmbeddingBatch {
public:
    explicit EmbeddingBatch(std::span<const std::span<const Token>> texts)
    {
        for (std::size_t text = 0; text < texts.size(); ++text) {
            for (std::size_t i = 0; i < texts[text].size(); ++i) {
                tokens_.push_back(texts[text][i]);
                positions_.push_back(static_cast<llama_pos>(i));
                sequences_.push_back(static_cast<llama_seq_id>(text));
            }
        }
        counts_.assign(tokens_.size(), 1);
        outputs_.assign(tokens_.size(), 1);
        for (llama_seq_id& each : sequences_) lists_.push_back(&each);
    }
    std::size_t size() const { return tokens_.size(); }
    llama_batch part(std::size_t begin, std::size_t end)
    {
        return {.n_tokens = static_cast<std::int32_t>(end - begin),
                .token = tokens_.data() + begin,
                .embd = nullptr,
                .pos = positions_.data() + begin,
                .n_seq_id = counts_.data() + begin,
                .seq_id = lists_.data() + begin,
                .logits = outputs_.data() + begin};
    }

private:
    std::vector<llama_token> tokens_;
    std::vector<llama_pos> positions_;
    std::vector<std::int32_t> counts_;
    std::vector<llama_seq_id> sequences_;
    std::vector<llama_seq_id*> lists_;
    std::vector<std::int8_t> outputs_;
};

}  // namespace

void EmbeddingModel::Freed::operator()(llama_context* context) const { llama_free(context); }

Result<std::unique_ptr<EmbeddingModel>> EmbeddingModel::load(const Options& options)
{
    const auto failed = [&](const std::string& why) {
        return Error{Errc::model_unavailable, "The model in " + options.path + " " + why};
    };
    std::unique_ptr<EmbeddingModel> made(new EmbeddingModel());
    made->model_ = load_weights(options.path, options.gpu_layers, options.progress);
    llama_model* model = made->model_.get();
    if (!model) return failed("cannot be loaded: see the lines before this one.");
    if (llama_model_n_embd_out(model) != options.shape.dimensions)
        return failed("has vectors of an unknown size.");

    made->shape_ = options.shape;
    made->weights_bytes_ = llama_model_size(model);
    made->context_.reset(llama_init_from_model(model, embedding_params(model, options)));
    if (!made->context_)
        return failed("needs more memory than is available: set a smaller models.NAME.context.");
    const enum llama_pooling_type pooling = llama_pooling_type(made->context_.get());
    if (pooling == LLAMA_POOLING_TYPE_NONE || pooling == LLAMA_POOLING_TYPE_RANK)
        return failed("is not an embedding model.");
    made->threads_ = ComputeThreads::make(options.threads);
    if (!made->threads_) return failed("cannot start its compute threads.");
    llama_attach_threadpool(made->context_.get(), made->threads_->pool(), made->threads_->pool());
    return made;
}

EmbeddingModel::~EmbeddingModel()
{
    if (context_ && threads_) llama_detach_threadpool(context_.get());
}

bool EmbeddingModel::read(llama_batch batch)
{
    llama_context* context = context_.get();
    llama_set_n_threads(context, threads_->count(), threads_->count());
    threads_->begin();
    // Without a memory, llama_decode() encodes; for some encoders it makes a memory in vain.
    const int outcome = llama_model_has_decoder(model_.get()) ? llama_decode(context, batch)
                                                              : llama_encode(context, batch);
    threads_->end();
    if (outcome != 0 && outcome != was_ended)
        log::error("the embedding model failed to compute", log::kv("code", outcome),
                   log::kv("tokens", batch.n_tokens));
    return outcome == 0;
}

std::optional<Vectors> EmbeddingModel::compute(std::span<const std::span<const Token>> texts)
{
    llama_context* context = context_.get();
    if (const llama_memory_t memory = llama_get_memory(context)) llama_memory_clear(memory, false);
    EmbeddingBatch batch(texts);
    Vectors vectors;
    std::size_t text_end = 0;
    for (std::size_t begin = 0; begin < batch.size(); begin += shape_.step) {
        const std::size_t end = std::min(begin + shape_.step, batch.size());
        if (!read(batch.part(begin, end))) return {};
        while (vectors.size() < texts.size() && text_end + texts[vectors.size()].size() <= end) {
            text_end += texts[vectors.size()].size();
            const auto sequence = static_cast<llama_seq_id>(vectors.size());
            const float* vector = llama_get_embeddings_seq(context, sequence);
            if (!vector || !normalize(vectors.emplace_back(vector, vector + shape_.dimensions))) {
                log::error("the embedding model returned no vector");
                return {};
            }
        }
    }
    return vectors;
}

}  // namespace parley::engine::llama
