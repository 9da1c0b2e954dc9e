// The parts of a request besides its body that a question needs: request id, trace, and whether it
// was charged as a replay.
#pragma once

#include "api/endpoint.hpp"
#include "chat/questions.hpp"

#include <string>
#include <vector>

namespace parley::api {

struct QuestionSource {
    const http::RequestHead& head;
    const Clock& clock;
    std::string request_id;
    std::string trace;         // A valid `traceparent`; may be empty.
    bool must_replay = false;  // The request was charged as a replay.

    void put_into(chat::Question& question) const
    {
        question.must_replay = must_replay;
        question.request_id = request_id;
        question.trace = trace;
    }
};

namespace detail {

template <>
struct Argument<QuestionSource> {
    static constexpr auto kind = ArgumentKind::request;
    static std::vector<ServiceKey> needs() { return {ServiceKey::of<const Clock>()}; }
    static QuestionSource make(Call& call, Faults& /*faults*/)
    {
        return {.head = call.exchange.request(),
                .clock = call.services.get<const Clock>(),
                .request_id = call.common_headers.request_id(),
                .trace = call.trace,
                .must_replay = call.counts_as_replay};
    }
};

}  // namespace detail

}  // namespace parley::api
