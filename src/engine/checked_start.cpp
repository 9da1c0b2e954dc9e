#include "engine/checked_start.hpp"

#include "base/log.hpp"
#include "engine/answer_reader.hpp"
#include "engine/demanded_call.hpp"
#include "engine/tool_prompt.hpp"

#include <utility>

namespace parley::engine {
namespace {

class CheckedReply final : public Reply {
public:
    // `may_call`: an answer that calls a function need not match.
    CheckedReply(std::unique_ptr<Reply> reply, schema::SchemaRef format, bool is_enforced,
                 bool may_call, std::string so_far)
        : reply_(std::move(reply)),
          format_(std::move(format)),
          is_enforced_(is_enforced),
          may_call_(may_call),
          text_(std::move(so_far))
    {
    }

    Task<Result<Output>> next() override
    {
        if (error_) co_return *error_;
        auto output = co_await reply_->next();
        if (!output) co_return output;
        for (const std::string& delta : output->deltas) text_ += delta;
        if (!output->finish || output->finish->reason != StopReason::end_turn) co_return output;
        if (may_call_ && has_call(text_)) co_return output;
        const auto valid = schema::valid(*format_, text_);
        if (valid) co_return output;
        used_ = output->finish->usage;
        error_ = error_of(valid.error());
        if (output->deltas.empty()) co_return *error_;
        output->finish.reset();
        co_return output;
    }

    void stop() override
    {
        error_.reset();
        reply_->stop();
    }

    std::optional<Usage> used() const override { return used_ ? used_ : reply_->used(); }

private:
    Error error_of(const Error& why) const
    {
        if (!is_enforced_) return {Errc::invalid_output, why.message + '.'};
        log::error("the grammar allowed an answer that does not match its schema",
                   log::kv("reason", why.message), log::kv("schema", format_->text));
        return {Errc::internal, why.message};
    }

    std::unique_ptr<Reply> reply_;
    const schema::SchemaRef format_;
    const bool is_enforced_;
    const bool may_call_;
    std::string text_;
    std::optional<Error> error_;
    std::optional<Usage> used_;
};

Task<Result<std::unique_ptr<Reply>>> start_in_format(Engine& engine, Prompt prompt,
                                                     std::string so_far)
{
    const schema::SchemaRef format = prompt.sampling.format;
    const bool may_call = prompt.sampling.tools && engine.tool_use() == ToolUse::passed_on;
    if (!format) co_return co_await engine.start(std::move(prompt), std::move(so_far));
    auto reply = co_await engine.start(std::move(prompt), so_far);
    if (!reply) co_return reply;
    co_return std::make_unique<CheckedReply>(std::move(*reply), format, engine.enforces_format(),
                                             may_call, std::move(so_far));
}

schema::SchemaRef call_schema_of(const Tools& tools)
{
    Faults faults;
    const fields::Reading reading{.faults = faults};
    return call_schema(tools, ToolShape::nested, fields::FieldPath(reading, "#"));
}

Task<Result<std::unique_ptr<Reply>>> start_call(Engine& engine, Prompt prompt, std::string so_far)
{
    // It was checked when the question was asked.
    prompt.sampling.format = call_schema_of(*prompt.sampling.tools);
    auto inside = inside_of_call(so_far);
    if (!prompt.sampling.format || !inside)
        co_return Error{Errc::internal, "The answer cannot be restricted to a function call."};
    prompt.answer_prefix = call_begins;
    auto reply = co_await start_in_format(engine, std::move(prompt), std::move(*inside));
    if (!reply) co_return reply;
    co_return marked_call(std::move(*reply), so_far);
}

}  // namespace

Task<Result<std::unique_ptr<Reply>>> checked_start(Engine& engine, Prompt prompt,
                                                   std::string so_far)
{
    prompt.tool_section = tool_section(prompt.sampling, engine.tool_use());
    if (demands_call(prompt.sampling.tools, engine.tool_use()))
        co_return co_await start_call(engine, std::move(prompt), std::move(so_far));
    co_return co_await start_in_format(engine, std::move(prompt), std::move(so_far));
}

}  // namespace parley::engine
