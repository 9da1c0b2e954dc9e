// The responses about a run: the run as an object, the problem of a failed run, or a stream of its
// events.
//
// Threads: the loop of the request.
#pragma once

#include "api/endpoint.hpp"
#include "api/route_docs.hpp"
#include "api/wire/run.hpp"
#include "chat/run_handle.hpp"
#include "http/exchange.hpp"

#include <string>
#include <vector>

namespace parley::api {

// A run, or the response in its place.
struct RunAnswer {
    http::Response response = {};
};

Owner owner_of(const SignedIn& caller);
std::string path_of_run(const std::string& run);

// 200 or 202 with the run.
RunAnswer run_answer(int status, const RunView& run);

// A run that has ended: 200, or the problem of a failed one. A replayed failure does not say when
// to retry.
Result<RunAnswer> end_answer(const chat::RunHandle& run, bool replayed);

// The error of a failed run, with the ids of run and session.
Error error_of(const store::Run& run, bool replayed);

// The number of the last event that a client has, from the header field Last-Event-ID or from
// `otherwise`. Browsers send the field when they resume by themselves, so it is newer than the
// address. Fails with invalid_request.
Result<std::int64_t> last_seen(const http::RequestHead& head,
                               const std::optional<std::string>& otherwise = {});

// The events of a run after a number; 204 if there are no more.
Task<Result<RunAnswer>> send_run(Stream stream, chat::RunHandle run, std::int64_t after);

// Waits as RunHandle::wait_for_end does. Fails with invalid_token if the caller's token is revoked
// meanwhile.
Task<Result<bool>> wait_for_end(CallerRights rights, chat::RunHandle run,
                                std::chrono::milliseconds patience);

// For the reference.
DocumentedResponse documented_run(int status, std::string meaning,
                                  std::vector<std::string> sent_fields = {});
DocumentedResponse documented_stream();

namespace detail {

template <>
struct ResponseTraits<RunAnswer> {
    static constexpr int status = 200;
    static http::Response response(RunAnswer answer) { return std::move(answer.response); }
};

}  // namespace detail

}  // namespace parley::api
