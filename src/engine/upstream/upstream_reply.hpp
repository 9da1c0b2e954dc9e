// A reply that another server writes: its stream of events, read as it comes. Text in a format
// becomes compact, as local models write it.
#pragma once

#include "engine/compact_text.hpp"
#include "engine/upstream/call.hpp"
#include "engine/upstream/call_text.hpp"
#include "engine/upstream/chunk.hpp"
#include "engine/upstream/estimate.hpp"
#include "http/client/sse_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::engine::upstream {

class UpstreamReply final : public Reply {
public:
    UpstreamReply(Upstream& upstream, const Executor& loop, const Prompt& prompt);
    UpstreamReply(const UpstreamReply&) = delete;
    UpstreamReply& operator=(const UpstreamReply&) = delete;
    ~UpstreamReply() override;

    Task<Result<Output>> next() override;
    void stop() override;
    std::optional<Usage> used() const override;

private:
    Task<Result<>> open();
    Task<Error> refusal();
    void read(const std::vector<http::client::SseEvent>& events, Output& output);
    void read(std::string_view data, Output& output);
    void add_text(std::string_view text, Output& output);
    void add_call(std::string text, Output& output);
    void count(std::string_view text);
    void add(std::string delta, Output& output) const;
    void fail(const std::string& reason);
    Output cancelled() const;
    Finish finish(StopReason reason) const;

    std::shared_ptr<Figures> figures_;
    Call call_;
    const bool offers_tools_;
    const bool has_stop_;                 // The request has texts that end the answer.
    std::optional<CompactText> compact_;  // For text in a format. Calls stay as they are.
    CallText text_;
    std::int64_t input_tokens_ = 0;  // Estimated.
    const std::optional<std::int64_t> max_output_;
    TokenEstimate output_;
    http::client::SseReader reader_;
    std::size_t bytes_ = 0;  // The length of the text so far, as the server wrote it.
    std::optional<StopReason> reason_;
    std::optional<Usage> usage_;
    std::optional<Error> error_;  // Returned by the next call.
    bool opened_ = false;
    bool ended_ = false;
    bool stopped_ = false;
};

}  // namespace parley::engine::upstream
