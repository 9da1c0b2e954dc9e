// How a run is answered to whoever asks for it: as an object, as the problem that it ended in, or
// as a stream of its events.
//
// Threads: the loop of the request.
#pragma once

#include "api/endpoint.hpp"
#include "api/open_streams.hpp"
#include "api/route_story.hpp"
#include "api/wire/run.hpp"
#include "chat/runs.hpp"
#include "http/exchange.hpp"

#include <string>
#include <vector>

namespace parley::api {

// A run, or whatever else stands in its place.
struct RunAnswer {
    http::Response response = {};
};

Owner owner_of(const SignedIn& caller);
std::string path_of_run(const std::string& run);

// 200 or 202 with the run.
RunAnswer run_answer(int status, const RunView& run);

// A run that has ended: 200, or the problem of a failed one.
Result<RunAnswer> end_answer(const RunView& run);

// The error that a client gets for a run that failed, with its ids beside it.
Error error_of(const RunView& run);

// Sends events as they come, until the last one or until the client leaves. Fails where they cannot
// be read.
Task<Result<RunAnswer>> send_events(Stream stream, OpenStreams& streams, const SignedIn& caller,
                                    const http::RequestHead& head, chat::Reader reader);

// What the reference tells of such answers.
ToldAnswer told_run(int status, std::string meaning, std::vector<std::string> sent_fields = {});
ToldAnswer told_stream();

namespace detail {

template <>
struct Answer<RunAnswer> {
    static constexpr int status = 200;
    static http::Response response(RunAnswer answer) { return std::move(answer.response); }
};

}  // namespace detail

}  // namespace parley::api
