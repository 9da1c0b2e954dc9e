// The responses about a run of an automation that was just started: the row at once, or the row and
// its run when it has ended.
//
// Threads: the loop of the request.
#pragma once

#include "api/common_headers.hpp"
#include "api/endpoint.hpp"
#include "api/route_docs.hpp"
#include "automation/automations.hpp"

#include <string>

namespace parley::api {

// Passed to endpoints that show the run of a row.
struct AutomationServices {
    automation::Automations& automations;
    const chat::RunErrors& errors;
    chat::Runs& runs;
};

// An automation asks in the user's name: nothing that a token may not do itself.
Result<> may_ask(const auth::Caller& caller);

// The run of its last attempt, and what that has put out.
void add_run(AutomationRunView& row, RunView run);

// With the run of its last attempt, if that is still there and `with_run`.
Task<AutomationRunView> whole_view(AutomationServices services, store::AutomationRun row,
                                   bool with_run);

// 202, or 200 for a row that was there before, and where it is from now on.
http::Response accepted(const AutomationRunView& row, std::string location, bool replayed);

// The same, or after `Prefer: wait` 200 with the ended row.
struct StartedRow {
    std::string location = {};
    bool with_run = true;
    bool replayed = false;
};
Task<Result<http::Response>> started_answer(AutomationServices services,
                                            const http::RequestHead& head,
                                            CommonHeaders& common_headers, store::AutomationRun row,
                                            StartedRow about);

// For the reference.
DocumentedResponse documented_row(int status, std::string meaning);

}  // namespace parley::api
