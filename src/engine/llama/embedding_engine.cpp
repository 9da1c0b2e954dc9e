#include "engine/llama/embedding_engine.hpp"

#include "engine/gguf/memory_need.hpp"
#include "engine/llama/embedding_worker.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace parley::engine::llama {
namespace {

constexpr std::uint64_t least_embedding_context = 16;

// Shorter texts are tokenized on the loop: that costs less than a switch of threads.
constexpr std::size_t short_texts = 2048;

// A token has far fewer bytes than the longest one. A text of so many times the bytes is refused
// without tokenizing it, unless it is mostly space.
constexpr std::int64_t mostly_space = 4;

const Error cannot_chat{Errc::model_unavailable, "The model can only embed texts."};

class LlamaEmbedding final : public Embedding {
public:
    LlamaEmbedding(EmbeddingWorker& worker, TokenLists lists, std::shared_ptr<Figures> figures)
        : worker_(worker),
          job_(std::make_shared<EmbeddingJob>(std::move(lists))),
          figures_(std::move(figures))
    {
    }
    LlamaEmbedding(const LlamaEmbedding&) = delete;
    LlamaEmbedding& operator=(const LlamaEmbedding&) = delete;
    ~LlamaEmbedding() override { job_->abandoned = true; }

    Task<Result<Vectors>> finish() override
    {
        if (job_->abandoned) co_return no_longer_needed();
        std::int64_t tokens = 0;
        for (const auto& text : job_->texts) tokens += static_cast<std::int64_t>(text.size());
        auto vectors =
            co_await await_callback<Result<Vectors>>([this](Completion<Result<Vectors>> done) {
                job_->done.emplace(std::move(done));
                worker_.add(job_);
            });
        if (vectors) figures_->add({.input_tokens = tokens});
        co_return vectors;
    }
    void stop() override
    {
        job_->abandoned = true;
        if (job_->done) job_->end(no_longer_needed());
    }

private:
    EmbeddingWorker& worker_;
    EmbeddingJobRef job_;
    std::shared_ptr<Figures> figures_;
};

class EmbeddingEngine final : public Engine, public Embedder {
public:
    EmbeddingEngine(const LlamaOptions& options, const gguf::Facts& facts, std::uint64_t context,
                    std::unique_ptr<Vocabulary> vocabulary)
        : vocabulary_(std::move(vocabulary)),
          context_(static_cast<std::int64_t>(context)),
          dimensions_(vocabulary_->embedding_dimensions()),
          worker_(options, {.dimensions = dimensions_,
                            .batch = gguf::embedded_per_batch(context),
                            .step = gguf::embedded_per_step(facts, context)})
    {
    }
    ~EmbeddingEngine() override { tokenizer_.join(); }
    EmbeddingEngine(const EmbeddingEngine&) = delete;
    EmbeddingEngine& operator=(const EmbeddingEngine&) = delete;

    std::int64_t context() const override { return context_; }
    std::int64_t longest_token() const override { return vocabulary_->longest_piece(); }
    bool can_continue() const override { return false; }
    bool can_chat() const override { return false; }
    Capabilities capabilities() const override { return {.embeddings = true}; }
    bool ready() const override { return worker_.ready(); }
    std::optional<std::uint64_t> memory() const override
    {
        return ready() ? std::optional(worker_.memory()) : std::nullopt;
    }
    Embedder* embedder() override { return this; }

    Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> /*turns*/) override
    {
        co_return cannot_chat;
    }
    Task<Result<std::unique_ptr<Reply>>> start(Prompt /*prompt*/, std::string /*so_far*/) override
    {
        co_return cannot_chat;
    }

    std::int64_t dimensions() const override { return dimensions_; }

    Task<TokenLists> tokenize(std::vector<std::string> texts) override
    {
        const std::size_t bytes = std::accumulate(
            texts.begin(), texts.end(), std::size_t{0},
            [](std::size_t sum, const std::string& text) { return sum + text.size(); });
        const auto tokenized = [this, &texts] {
            TokenLists lists;
            lists.reserve(texts.size());
            for (const std::string& text : texts) lists.push_back(tokens_of(text));
            return lists;
        };
        if (bytes <= short_texts) co_return tokenized();
        co_return co_await offload(tokenizer_, tokenized);
    }

    std::unique_ptr<Embedding> prepare(TokenLists lists) override
    {
        return std::make_unique<LlamaEmbedding>(worker_, std::move(lists), figures_);
    }

private:
    Tokens tokens_of(const std::string& text) const
    {
        const std::int64_t most = mostly_space * context_ * longest_token();
        if (static_cast<std::int64_t>(text.size()) > most)
            return Tokens(static_cast<std::size_t>(context_) + 1);
        return vocabulary_->framed_tokens(text);
    }

    std::unique_ptr<Vocabulary> vocabulary_;
    const std::int64_t context_;
    const std::int64_t dimensions_;
    boost::asio::thread_pool tokenizer_{1};
    EmbeddingWorker worker_;
};

}  // namespace

Result<std::unique_ptr<Engine>> make_embedding_engine(const LlamaOptions& options)
{
    const auto failed = [&](const std::string& why) {
        return Error{Errc::model_unavailable, "The model in " + options.path + " " + why};
    };
    const auto facts = gguf::examine(options.path);
    if (!facts) return facts.error();
    auto vocabulary = Vocabulary::load(options.path);
    if (!vocabulary) return vocabulary.error();
    if (options.memory.context > facts->context)
        return failed("knows " + std::to_string(facts->context) + " tokens, not " +
                      std::to_string(options.memory.context) + ".");
    if (options.tools) return failed("can only embed texts: set tools to false.");
    const std::uint64_t context = gguf::context_of(*facts, options.memory.context);
    if (context < least_embedding_context)
        return failed("needs a context of at least " + std::to_string(least_embedding_context) +
                      " tokens.");
    std::unique_ptr<Engine> engine =
        std::make_unique<EmbeddingEngine>(options, *facts, context, std::move(*vocabulary));
    return engine;
}

}  // namespace parley::engine::llama
