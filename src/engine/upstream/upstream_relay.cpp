#include "engine/upstream/upstream_relay.hpp"

#include "engine/upstream/call.hpp"
#include "engine/upstream/chunk.hpp"
#include "engine/upstream/event_cutter.hpp"
#include "engine/upstream/renaming.hpp"

#include <utility>

namespace parley::engine::upstream {
namespace {

constexpr std::size_t longest_relayed_refusal = std::size_t{64} * 1024;
constexpr std::size_t longest_event = std::size_t{1024} * 1024;

class UpstreamAnswer final : public RelayedAnswer {
public:
    UpstreamAnswer(Upstream& upstream, const Executor& loop, Result<CompletionRequest> question,
                   const RelayedRequest& request, std::int64_t max_output)
        : fault_(question ? std::nullopt : std::optional(question.error())),
          figures_(upstream.figures),
          call_(upstream, loop, question ? std::move(*question) : CompletionRequest(),
                request.streamed),
          streamed_(request.streamed),
          longest_answer_(request.max_answer),
          renaming_(request.model, max_output)
    {
    }
    UpstreamAnswer(const UpstreamAnswer&) = delete;
    UpstreamAnswer& operator=(const UpstreamAnswer&) = delete;
    ~UpstreamAnswer() override
    {
        if (const auto usage = renaming_.usage()) figures_->add(*usage);
    }

    Task<Result<>> open() override
    {
        if (fault_) co_return *fault_;
        const auto opened = co_await call_.open();
        if (!opened) co_return opened;
        streamed_ = streamed_ && status() == 200;
        if (streamed_) co_return co_await read_first_event();
        co_return co_await read_all();
    }

    int status() const override { return call_.status(); }

    Task<Result<std::string_view>> next() override
    {
        if (!ready_.empty()) co_return std::exchange(ready_, {});
        if (!streamed_) co_return std::string_view();
        if (cutter_.state() == EventCutter::State::going_on) co_return co_await read_events();
        if (!std::exchange(released_, true)) call_.release();
        co_return std::string_view();
    }

    bool has_begun() const override { return has_begun_; }
    std::optional<Usage> usage() const override { return renaming_.usage(); }
    void stop() override { call_.abort(); }

private:
    // An answer that breaks off is an error, not a shorter answer.
    Task<Result<>> read_all()
    {
        const std::size_t most = status() == 200 ? longest_answer_ : longest_relayed_refusal;
        while (true) {
            const auto bytes = co_await call_.next();
            if (!bytes) co_return bytes.error();
            if (bytes->empty()) break;
            has_begun_ = status() == 200;
            if (body_.size() + bytes->size() > most) co_return odd("its answer is too long");
            body_ += *bytes;
        }
        call_.begun();
        const auto renamed = renaming_.object(body_);
        if (!renamed) co_return odd("its answer is not a JSON object");
        if (status() != 200 && call_.tells_our_key(body_))
            co_return odd("its response contains our API key");
        ready_ = status() == 200 ? *renamed : body_;
        co_return Result<>();
    }

    Task<Result<>> read_first_event()
    {
        // Comments are not an answer yet, and are dropped before its beginning.
        do {
            const auto events = co_await read_events();
            if (!events) co_return events.error();
            ready_ = *events;
        } while (cutter_.first_data().empty());
        if (cutter_.first_data().starts_with(R"({"error")")) {
            const std::string said = complaint_in(cutter_.first_data());
            co_return odd(call_.tells_our_key(said) ? "its response contains our API key"
                                                    : "it sent an error: " + said);
        }
        call_.begun();
        has_begun_ = true;
        co_return Result<>();
    }

    // Reads at least one event.
    Task<Result<std::string_view>> read_events()
    {
        while (true) {
            const auto bytes = co_await call_.next();
            if (!bytes) co_return bytes.error();
            if (bytes->empty()) co_return odd("its stream ended before [DONE]");
            const std::string_view events = cutter_.feed(*bytes);
            if (cutter_.state() == EventCutter::State::odd)
                co_return odd("it sent something that is not a stream of events");
            if (!events.empty()) co_return renaming_.events(events);
        }
    }

    Error odd(std::string reason) { return call_.fail(unreadable_answer(std::move(reason))); }

    const std::optional<Error> fault_;
    std::shared_ptr<Figures> figures_;
    Call call_;
    bool streamed_;
    const std::size_t longest_answer_;
    EventCutter cutter_{longest_event};
    Renaming renaming_;
    std::string body_;        // An answer that is not streamed.
    std::string_view ready_;  // The next result of next().
    bool has_begun_ = false;
    bool released_ = false;
};

}  // namespace

std::unique_ptr<RelayedAnswer> UpstreamRelay::prepare(const Executor& loop, RelayedRequest request)
{
    auto question = request_of(request.body);
    std::int64_t max_output = 0;
    if (question) {
        question->trace = request.trace;
        question->path = request.path;
        max_output = question->max_output;
    }
    return std::make_unique<UpstreamAnswer>(upstream_, loop, std::move(question), request,
                                            max_output);
}

}  // namespace parley::engine::upstream
