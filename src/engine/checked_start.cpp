#include "engine/checked_start.hpp"

#include "base/log.hpp"

#include <utility>

namespace parley::engine {
namespace {

class CheckedReply final : public Reply {
public:
    CheckedReply(std::unique_ptr<Reply> reply, schema::SchemaRef format, bool is_enforced,
                 std::string so_far)
        : reply_(std::move(reply)),
          format_(std::move(format)),
          is_enforced_(is_enforced),
          text_(std::move(so_far))
    {
    }

    Task<Result<Written>> next() override
    {
        if (error_) co_return *error_;
        auto written = co_await reply_->next();
        if (!written) co_return written;
        for (const std::string& delta : written->deltas) text_ += delta;
        if (!written->finish || written->finish->reason != StopReason::end_turn) co_return written;
        const auto valid = schema::valid(*format_, text_);
        if (valid) co_return written;
        used_ = written->finish->usage;
        error_ = error_of(valid.error());
        if (written->deltas.empty()) co_return *error_;
        written->finish.reset();
        co_return written;
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
    std::string text_;
    std::optional<Error> error_;
    std::optional<Usage> used_;
};

}  // namespace

Task<Result<std::unique_ptr<Reply>>> checked_start(Engine& engine, Prompt prompt,
                                                   std::string so_far)
{
    const schema::SchemaRef format = prompt.sampling.format;
    if (!format) co_return co_await engine.start(std::move(prompt), std::move(so_far));
    auto reply = co_await engine.start(std::move(prompt), so_far);
    if (!reply) co_return reply;
    co_return std::make_unique<CheckedReply>(std::move(*reply), format, engine.enforces_format(),
                                             std::move(so_far));
}

}  // namespace parley::engine
