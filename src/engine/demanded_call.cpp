#include "engine/demanded_call.hpp"

#include "engine/tool_text.hpp"

#include <utility>

namespace parley::engine {
namespace {

class MarkedCall final : public Reply {
public:
    MarkedCall(std::unique_ptr<Reply> reply, std::string_view so_far)
        : reply_(std::move(reply)),
          has_begun_(!so_far.empty()),
          has_ended_(so_far.ends_with(call_ends))
    {
    }

    Task<Result<Output>> next() override
    {
        auto output = co_await reply_->next();
        if (!output) co_return output;
        if (!output->deltas.empty() && !std::exchange(has_begun_, true))
            output->deltas.front().insert(0, call_begins);
        const auto& finish = output->finish;
        if (finish && finish->reason == StopReason::end_turn && !std::exchange(has_ended_, true))
            output->deltas.emplace_back(call_ends);
        co_return output;
    }
    void stop() override { reply_->stop(); }
    std::optional<Usage> used() const override { return reply_->used(); }

private:
    std::unique_ptr<Reply> reply_;
    bool has_begun_;
    bool has_ended_;
};

}  // namespace

std::optional<std::string> inside_of_call(std::string_view so_far)
{
    if (so_far.empty()) return std::string();
    if (!so_far.starts_with(call_begins)) return {};
    so_far.remove_prefix(call_begins.size());
    if (so_far.ends_with(call_ends)) so_far.remove_suffix(call_ends.size());
    return std::string(so_far);
}

std::unique_ptr<Reply> marked_call(std::unique_ptr<Reply> reply, std::string_view so_far)
{
    return std::make_unique<MarkedCall>(std::move(reply), so_far);
}

}  // namespace parley::engine
