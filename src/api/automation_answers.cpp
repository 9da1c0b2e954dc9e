#include "api/automation_answers.hpp"

#include "api/authorization.hpp"
#include "api/prefer.hpp"

namespace parley::api {
namespace {

constexpr std::chrono::seconds longest_wait_for_row{60};
// The row and its run end in one transaction; the run is told of it a moment later.
constexpr std::chrono::seconds time_until_told{2};

}  // namespace

Result<> may_ask(const auth::Caller& caller)
{
    return check_access({.scope = auth::Scope::chat_write, .by_user = true}, caller);
}

void add_run(AutomationRunView& row, RunView run)
{
    row.output = nullptr;
    if (run.output) row.output = *run.output;
    row.run = std::move(run);
}

Task<AutomationRunView> whole_view(AutomationServices services, store::AutomationRun row,
                                   bool with_run)
{
    AutomationRunView view = services.automations.view(row, services.errors);
    if (view.run_id && view.session_id && with_run) {
        const auto run = co_await services.runs.find(row.owner, *view.run_id);
        if (run && has_ended(row.status)) co_await run->wait_for_end(time_until_told);
        if (run) add_run(view, run->view());
    }
    co_return view;
}

http::Response accepted(const AutomationRunView& row, std::string location, bool replayed)
{
    auto response = json_response(replayed ? 200 : 202, fields::write(row));
    response.fields.add("Location", std::move(location));
    return response;
}

Task<Result<http::Response>> started_answer(AutomationServices services,
                                            const http::RequestHead& head,
                                            CommonHeaders& common_headers, store::AutomationRun row,
                                            StartedRow about)
{
    const auto& [automations, errors, runs] = services;
    const auto wanted = preferred_wait(head);
    if (!wanted)
        co_return accepted(automations.view(row, errors), std::move(about.location),
                           about.replayed);
    const auto patience = std::min(*wanted, longest_wait_for_row);
    common_headers.add("Preference-Applied", "wait=" + std::to_string(patience.count()));
    const auto now = co_await automations.wait_for_end(row.owner, row.id, patience);
    if (!now) co_return now.error();
    if (!has_ended(now->status))
        co_return accepted(automations.view(*now, errors), std::move(about.location),
                           about.replayed);
    const auto view = co_await whole_view(services, *now, about.with_run);
    co_return json_response(200, fields::write(view));
}

DocumentedResponse documented_row(int status, std::string meaning)
{
    return {.status = status,
            .meaning = std::move(meaning),
            .media_type = "application/json",
            .schema = fields::schema<AutomationRunView>(fields::Direction::response)};
}

}  // namespace parley::api
