#include "engine/upstream/upstream_relay.hpp"

#include "engine/upstream/call.hpp"
#include "engine/upstream/chunk.hpp"
#include "engine/upstream/estimate.hpp"
#include "engine/upstream/event_cutter.hpp"
#include "engine/upstream/renaming.hpp"

#include <utility>

namespace parley::engine::upstream {
namespace {

constexpr std::size_t longest_relayed_refusal = std::size_t{64} * 1024;
constexpr std::size_t longest_event = std::size_t{1024} * 1024;

class UpstreamAnswer final : public RelayedAnswer {
public:
    UpstreamAnswer(Upstream& upstream, const Executor& loop, std::optional<Error> fault,
                   CompletionRequest question, const RelayedRequest& request)
        : fault_(std::move(fault)),
          figures_(upstream.figures),
          streamed_(request.streamed),
          writes_text_(request.path == completions_path),
          choices_(question.choices),
          max_output_(question.max_output),
          longest_answer_(request.max_answer),
          call_(upstream, loop, std::move(question), request.streamed),
          renaming_(request.model, max_output_)
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
        auto opened = co_await call_.open();
        if (opened) {
            streamed_ = streamed_ && status() == 200;
            if (streamed_) co_return co_await read_first_event();
            opened = co_await read_all();
        }
        if (!opened && (is_stopped_ || opened.error().code == Errc::upstream_timeout))
            estimate_unread();
        co_return opened;
    }

    int status() const override { return call_.status(); }

    Task<Result<std::string_view>> next() override
    {
        const bool goes_on = streamed_ && cutter_.state() == EventCutter::State::going_on;
        return ready_.empty() && goes_on ? read_events() : take_ready();
    }

    bool has_begun() const override { return has_begun_; }
    std::optional<Usage> usage() const override { return renaming_.usage(); }
    void stop() override
    {
        is_stopped_ = true;
        call_.abort();
    }

private:
    // A model that writes a text as a whole has worked although nothing of it has come.
    void estimate_unread()
    {
        const auto waited = call_.waited();
        if (waited && writes_text_ && !streamed_)
            renaming_.note_unread(tokens_written_in(*waited, choices_, max_output_));
    }

    // An answer that breaks off is an error, not a shorter answer.
    Task<Result<>> read_all()
    {
        const std::size_t most = status() == 200 ? longest_answer_ : longest_relayed_refusal;
        while (true) {
            const auto bytes = co_await call_.next();
            if (!bytes) co_return bytes.error();
            if (bytes->empty()) break;
            has_begun_ = status() == 200;
            if (body_.size() + bytes->size() > most) {
                estimate_unread();
                co_return odd("its answer is too long");
            }
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

    Task<Result<std::string_view>> take_ready()
    {
        if (!ready_.empty()) co_return std::exchange(ready_, {});
        if (streamed_ && !std::exchange(released_, true)) call_.release();
        co_return std::string_view();
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
    bool streamed_;
    const bool writes_text_;
    const std::int64_t choices_;
    const std::int64_t max_output_;  // As in CompletionRequest.
    const std::size_t longest_answer_;
    Call call_;
    bool is_stopped_ = false;
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
    if (!question)
        return std::make_unique<UpstreamAnswer>(upstream_, loop, question.error(),
                                                CompletionRequest(), request);
    question->trace = request.trace;
    question->path = request.path;
    return std::make_unique<UpstreamAnswer>(upstream_, loop, std::nullopt, std::move(*question),
                                            request);
}

}  // namespace parley::engine::upstream
