#include "engine/upstream/upstream_engine.hpp"

#include "engine/upstream/estimate.hpp"
#include "engine/upstream/server.hpp"
#include "engine/upstream/upstream_relay.hpp"
#include "engine/upstream/upstream_reply.hpp"

#include <boost/asio/this_coro.hpp>

#include <utility>

namespace parley::engine::upstream {
namespace {

class UpstreamEngine final : public Engine {
public:
    UpstreamEngine(http::client::Clients& clients, UpstreamOptions options)
        : context_(options.context),
          vision_(options.vision),
          upstream_(clients, std::move(options), figures_),
          relay_(upstream_)
    {
    }

    std::int64_t context() const override { return context_; }
    std::int64_t longest_token() const override { return TokenEstimate::longest_token; }
    bool can_continue() const override { return false; }
    Relay* relay() override { return &relay_; }
    ToolUse tool_use() const override { return ToolUse::passed_on; }

    // Requests are passed on unchanged; the model's server refuses those that it does not support.
    Capabilities capabilities() const override
    {
        return {.json_schema = true, .tools = true, .vision = vision_, .embeddings = true};
    }

    Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> turns) override
    {
        std::vector<std::int64_t> counts;
        counts.reserve(turns.size());
        for (const Turn& turn : turns)
            counts.push_back(tokens_of_turn(turn.text, turn.images.size()));
        co_return counts;
    }

    // The request is sent when the first piece is awaited, so that stop() can end it, too.
    Task<Result<std::unique_ptr<Reply>>> start(Prompt prompt, std::string so_far) override
    {
        if (!so_far.empty())
            co_return Error{Errc::not_implemented, "The model's server cannot continue an answer."};
        const Executor loop = co_await boost::asio::this_coro::executor;
        std::unique_ptr<Reply> reply = std::make_unique<UpstreamReply>(upstream_, loop, prompt);
        co_return reply;
    }

private:
    const std::int64_t context_;
    const bool vision_;
    Upstream upstream_;
    UpstreamRelay relay_;
};

}  // namespace

std::unique_ptr<Engine> make_upstream_engine(http::client::Clients& clients,
                                             UpstreamOptions options)
{
    return std::make_unique<UpstreamEngine>(clients, std::move(options));
}

}  // namespace parley::engine::upstream
