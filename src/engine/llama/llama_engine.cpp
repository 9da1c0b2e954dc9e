#include "engine/llama/llama_engine.hpp"

#include "base/random.hpp"
#include "engine/llama/chat_format.hpp"
#include "engine/llama/embedding_engine.hpp"
#include "engine/llama/processor.hpp"
#include "engine/llama/reply.hpp"
#include "engine/llama/worker.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace parley::engine::llama {
namespace {

constexpr std::int64_t usual_context = 8192;
constexpr std::int64_t least_context = 256;

// Shorter texts are tokenized on the loop: that costs less than a switch of threads.
constexpr std::size_t short_text = 2048;

std::uint64_t any_seed()
{
    std::uint64_t seed = 0;
    random_bytes(std::as_writable_bytes(std::span(&seed, 1)));
    return seed;
}

SamplingParameters parameters_of(const Sampling& sampling, const UsualSampling& usual)
{
    SamplingParameters parameters{
        .temperature = sampling.temperature.value_or(usual.temperature),
        .top_p = sampling.top_p.value_or(sampling.temperature ? 1 : usual.top_p),
        .top_k = sampling.top_k.value_or(usual.top_k),
        .min_p = sampling.min_p.value_or(usual.min_p),
        .repeat_penalty = sampling.repeat_penalty.value_or(usual.repeat_penalty),
        .presence_penalty = sampling.presence_penalty.value_or(0),
        .frequency_penalty = sampling.frequency_penalty.value_or(0),
        .seed = sampling.seed ? *sampling.seed : any_seed()};
    for (const auto& [token, bias] : sampling.logit_bias)
        if (token >= 0 && token <= std::numeric_limits<Token>::max())
            parameters.bias.emplace(static_cast<Token>(token), bias);
    return parameters;
}

// A state without an owner cannot be reused.
Whose whose_of(const Prompt& prompt)
{
    if (prompt.owner.empty()) return {};
    return {.owner = prompt.owner, .session = prompt.session};
}

class LlamaEngine final : public Engine {
public:
    LlamaEngine(const LlamaOptions& options, std::int64_t context,
                std::unique_ptr<Vocabulary> vocabulary, ChatFormat format)
        : vocabulary_(std::move(vocabulary)),
          format_(std::move(format)),
          usual_(options.usual),
          knows_tools_(options.tools),
          context_(context - format_.overhead()),
          worker_(options, context, *vocabulary_)
    {
    }
    ~LlamaEngine() override { tokenizer_.join(); }
    LlamaEngine(const LlamaEngine&) = delete;
    LlamaEngine& operator=(const LlamaEngine&) = delete;

    std::int64_t context() const override { return context_; }
    std::int64_t longest_token() const override { return vocabulary_->longest_piece(); }
    bool can_continue() const override { return true; }
    Capabilities capabilities() const override
    {
        return {.json_schema = true, .tools = knows_tools_};
    }
    ToolUse tool_use() const override
    {
        return knows_tools_ ? ToolUse::by_choice : ToolUse::demanded;
    }
    bool enforces_format() const override { return true; }
    bool ready() const override { return worker_.ready(); }
    void forget(std::string_view whose) override { worker_.forget(whose); }
    std::optional<std::uint64_t> memory() const override
    {
        return ready() ? std::optional(worker_.memory()) : std::nullopt;
    }

    Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> turns) override
    {
        std::size_t bytes = 0;
        for (const Turn& turn : turns) bytes += turn.text.size();
        const auto counted = [this, &turns] {
            std::vector<std::int64_t> counts;
            counts.reserve(turns.size());
            std::int64_t most = 2 * context_;  // More do not fit, so they need not be counted.
            for (const Turn& turn : turns) {
                counts.push_back(format_.count(turn, most));
                most -= counts.back();
            }
            return counts;
        };
        if (bytes <= short_text) co_return counted();
        co_return co_await offload(tokenizer_, counted);
    }

    Task<Result<std::unique_ptr<Reply>>> start(Prompt prompt, std::string so_far) override
    {
        std::size_t bytes = prompt.instructions.size() + prompt.tool_section.size() + so_far.size();
        for (const Turn& turn : prompt.turns) bytes += turn.text.size();
        const auto write = [&] { return format_.write(prompt, so_far); };
        ChatFormat::Formatted formatted;
        if (bytes <= short_text)
            formatted = write();
        else
            formatted = co_await offload(tokenizer_, write);
        std::unique_ptr<Grammar> grammar;
        if (prompt.sampling.format) {
            auto made = co_await offload(tokenizer_, [&] {
                return Grammar::make(*vocabulary_, *prompt.sampling.format, so_far);
            });
            if (!made) co_return made.error();
            grammar = std::move(*made);
        }
        if (static_cast<std::int64_t>(formatted.tokens.size()) >= context_ + format_.overhead())
            co_return Error{Errc::message_too_long,
                            "The conversation is longer than the model's context"};

        const Executor loop = co_await boost::asio::this_coro::executor;
        const Usage usage{.input_tokens = static_cast<std::int64_t>(formatted.prompt_tokens),
                          .output_tokens = static_cast<std::int64_t>(formatted.tokens.size() -
                                                                     formatted.prompt_tokens)};
        auto buffer = std::make_shared<ReplyBuffer>(loop, usage);
        std::shared_ptr<Job> job(new Job{.tokens = std::move(formatted.tokens),
                                         .instruction_tokens = formatted.instruction_tokens,
                                         .prompt_tokens = formatted.prompt_tokens,
                                         .parameters = parameters_of(prompt.sampling, usual_),
                                         .grammar = std::move(grammar),
                                         .max_output_tokens = prompt.sampling.max_output_tokens,
                                         .whose = whose_of(prompt),
                                         .text = WrittenText(std::move(prompt.sampling.stop)),
                                         .loop = boost::asio::make_work_guard(loop),
                                         .listener = buffer,
                                         .usage = usage});
        if (job->max_output_tokens && usage.output_tokens >= *job->max_output_tokens)
            buffer->hear({.usage = usage, .end = StopReason::max_tokens});
        else
            worker_.add(job);
        co_return std::unique_ptr<Reply>(
            std::make_unique<LlamaReply>(std::move(job), std::move(buffer), figures_));
    }

private:
    std::unique_ptr<Vocabulary> vocabulary_;
    const ChatFormat format_;
    const UsualSampling usual_;
    const bool knows_tools_;
    const std::int64_t context_;
    boost::asio::thread_pool tokenizer_{1};
    Worker worker_;
};

}  // namespace

Result<std::unique_ptr<Engine>> make_llama_engine(LlamaOptions options)
{
    if (const auto lacking = lacking_instructions(); !lacking.empty())
        return Error{Errc::model_unavailable, "This program was built for a processor with " +
                                                  std::string(lacking) +
                                                  ": build it on this machine (make build)."};
    if (const auto facts = gguf::examine(options.path); facts && facts->embeds)
        return make_embedding_engine(options);
    auto vocabulary = Vocabulary::load(options.path);
    if (!vocabulary) return vocabulary.error();
    auto format = ChatFormat::make(**vocabulary, options.instructions);
    if (!format) return format.error();
    if (options.tools && (*vocabulary)->chat_template().find("<tool_call>") == std::string::npos)
        return Error{Errc::model_unavailable, "The chat template of " + options.path +
                                                  " has no <tool_call>: set tools to false."};

    const std::int64_t known = (*vocabulary)->context_of_training();
    const auto wanted = static_cast<std::int64_t>(options.memory.context);
    if (wanted > known)
        return Error{Errc::model_unavailable, "The model in " + options.path + " knows " +
                                                  std::to_string(known) + " tokens, not " +
                                                  std::to_string(wanted) + "."};
    const std::int64_t context = wanted > 0 ? wanted : std::min(known, usual_context);
    if (context < std::max(least_context, 4 * format->overhead()))
        return Error{Errc::model_unavailable,
                     "A context of " + std::to_string(context) + " tokens is too short."};
    std::unique_ptr<Engine> engine =
        std::make_unique<LlamaEngine>(options, context, std::move(*vocabulary), std::move(*format));
    return engine;
}

}  // namespace parley::engine::llama
