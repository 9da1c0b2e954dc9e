// Runs of automations over HTTP: the ledger, and starting by hand.
#include "api/api.hpp"
#include "api/automation_answers.hpp"
#include "api/cursor.hpp"
#include "api/idempotency.hpp"
#include "api/list_page.hpp"
#include "api/open_streams.hpp"
#include "api/page_position.hpp"
#include "api/prefer.hpp"
#include "api/run_answers.hpp"
#include "api/wire/automation_run.hpp"
#include "api/wire/header_fields.hpp"
#include "automation/automations.hpp"
#include "automation/yield.hpp"
#include "base/hex.hpp"
#include "base/id.hpp"

namespace parley::api {
namespace {

using automation::Automations;
using AutomationReader = With<auth::Scope::automation_read>;
using AutomationWriter = With<auth::Scope::automation_write>;

// One row, or the rows of a batch.
struct StartAnswer {
    http::Response response = {};
};

bool may_read_runs(const SignedIn& caller) { return caller->scopes.has(auth::Scope::chat_read); }

std::string path_of_row(const std::string& row) { return "/v1/api/automation_runs/" + row; }

std::string list_of_rows(const Owner& owner, const std::string& automation,
                         const AutomationRunsQuery& query)
{
    std::string list = "automation runs " + owner.user + (owner.test ? " test " : " ") + automation;
    list.append(" ").append(query.status ? fields::name_of(*query.status) : "all");
    list.append(" ").append(query.trigger ? fields::name_of(*query.trigger) : "all");
    return list + " " + query.batch.value_or("");
}

Task<Result<ListPage<AutomationRunView>>> page_of_rows(store::Store& store,
                                                       const AutomationServices& services,
                                                       Cursors& cursors, Owner owner,
                                                       std::optional<std::string> automation,
                                                       AutomationRunsQuery query)
{
    const PagePosition place(list_of_rows(owner, automation.value_or("all"), query), cursors);
    const auto after = place.of({.limit = query.limit, .after = query.after});
    if (!after) co_return after.error();
    const auto page = co_await store.ledger().list(owner,
                                                   {.automation = std::move(automation),
                                                    .status = query.status,
                                                    .trigger = query.trigger,
                                                    .batch = query.batch},
                                                   *after, static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<AutomationRunView>(*page, [&](const store::AutomationRun& row) {
        return services.automations.view(row, services.errors);
    });
}

Task<Result<ListPage<AutomationRunView>>> list_automation_runs(
    store::Store& store, const AutomationServices& services, Cursors& cursors,
    AutomationReader caller, Path<AutomationPath> path, Query<AutomationRunsQuery> query)
{
    co_return co_await page_of_rows(store, services, cursors, owner_of(caller),
                                    std::move(path.automation), std::move(query));
}

Task<Result<ListPage<AutomationRunView>>> list_all_automation_runs(
    store::Store& store, const AutomationServices& services, Cursors& cursors,
    AutomationReader caller, Query<AutomationRunsQuery> query)
{
    co_return co_await page_of_rows(store, services, cursors, owner_of(caller), std::nullopt,
                                    std::move(query));
}

Task<Result<AutomationRunView>> get_automation_run(store::Store& store,
                                                   const AutomationServices& services,
                                                   AutomationReader caller,
                                                   Path<AutomationRunPath> path)
{
    const auto row = co_await store.ledger().find(owner_of(caller), std::move(path.run));
    if (!row) co_return row.error();
    co_return co_await whole_view(services, *row, may_read_runs(caller));
}

Task<Result<AutomationRunView>> cancel_automation_run(const AutomationServices& services,
                                                      AutomationWriter caller, Origin origin,
                                                      Path<AutomationRunPath> path)
{
    const auto row = co_await services.automations.cancel(
        owner_of(caller), std::move(path.run), {.request = std::move(origin.request_id)});
    if (!row) co_return row.error();
    co_return services.automations.view(*row, services.errors);
}

Task<Result<StartAnswer>> retry_automation_run(const AutomationServices& services,
                                               AutomationWriter caller, Origin origin,
                                               Path<AutomationRunPath> path)
{
    if (auto may = may_ask(*caller); !may) co_return may.error();
    const auto row = co_await services.automations.retry(owner_of(caller), std::move(path.run),
                                                         {.request = std::move(origin.request_id)},
                                                         caller->token_id);
    if (!row) co_return row.error();
    co_return StartAnswer{
        accepted(services.automations.view(*row, services.errors), path_of_row(row->id), false)};
}

// The text that an Idempotency-Key is bound to: the automation and the whole body.
std::string request_text(const std::string& automation, const StartBody& body)
{
    return automation + "\n" + canonical(fields::to_json(body));
}

// Rows without a key get one that follows from the Idempotency-Key and the request: repeated, it
// gives the same rows.
std::vector<Automations::Input> inputs_of(StartBody& body,
                                          const std::optional<store::KeyClaim>& claim)
{
    std::vector<Automations::Input> inputs;
    if (!body.inputs) inputs.push_back({std::move(body.key), std::move(body.variables)});
    for (RunInputBody& each : body.inputs ? *body.inputs : std::vector<RunInputBody>())
        inputs.push_back({std::move(each.key), std::move(each.variables)});
    if (!claim) return inputs;
    const std::string request = "request " + claim->key + " " + to_hex(claim->fingerprint);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!inputs[i].key) inputs[i].key = request + (body.inputs ? " " + std::to_string(i) : "");
    return inputs;
}

// Each row is shown by its definition, which may have a megabyte: other requests come in between.
Task<StartAnswer> batch_answer(const AutomationServices& services, std::string batch,
                               const Automations::Started& started)
{
    BatchView view{.batch_id = std::move(batch), .data = {}};
    for (const store::AutomationRun& row : started.rows) {
        view.data.push_back(services.automations.view(row, services.errors));
        co_await automation::yield();
    }
    co_return StartAnswer{json_response(started.replayed ? 200 : 202, fields::write(view))};
}

Task<Result<StartAnswer>> start_automation(const AutomationServices& services, const Clock& clock,
                                           OpenStreams& streams, AutomationWriter caller,
                                           Origin origin, const http::RequestHead& head,
                                           CommonHeaders& common_headers, Path<AutomationPath> path,
                                           Body<StartBody> body)
{
    if (auto may = may_ask(*caller); !may) co_return may.error();
    const Owner owner = owner_of(caller);
    const auto claim =
        key_claim(head, "automation run", request_text(path.automation, body), clock);
    if (!claim) co_return claim.error();
    std::optional<std::string> batch;
    if (body.inputs) batch = new_id("bat", clock.now());
    const auto started = co_await services.automations.start(
        owner, {.automation = std::move(path.automation),
                .inputs = inputs_of(body, *claim),
                .batch = batch,
                .claim = *claim,
                .cause = {.request = std::move(origin.request_id)},
                .token = caller->token_id});
    if (!started) co_return started.error();
    tell_if_replayed(started->replayed, common_headers);
    if (batch)
        co_return co_await batch_answer(services, started->rows.front().batch.value_or(*batch),
                                        *started);
    const store::AutomationRun& row = started->rows.front();
    auto response = co_await started_answer(services, head, common_headers, row,
                                            {.location = path_of_row(row.id),
                                             .with_run = may_read_runs(caller),
                                             .replayed = started->replayed});
    if (!response) co_return response.error();
    if (preferred_wait(head) && co_await streams.is_revoked(*caller))
        co_return auth::invalid_token();
    co_return StartAnswer{std::move(*response)};
}

constexpr std::string_view about_starting =
    R"(Runs the automation now, also while it is paused. With `key`, the same request gives the same run.
With `inputs`, up to 1,000 runs are entered at once, all or none, and the response is a batch. The
runs of a batch do not wait for each other.

With `Prefer: wait=N` (up to 60 seconds) the response comes when the run has ended.

Needs the scopes `automation:write` and `chat:write`, since the automation asks in your name.)";

}  // namespace

namespace detail {

template <>
struct ResponseTraits<StartAnswer> {
    static constexpr int status = 202;
    static constexpr std::array fields{"Location"};
    static boost::json::object schema()
    {
        return {{"oneOf",
                 {fields::schema<AutomationRunView>(fields::Direction::response),
                  fields::schema<BatchView>(fields::Direction::response)}}};
    }
    static http::Response response(StartAnswer answer) { return std::move(answer.response); }
};

}  // namespace detail

std::vector<Route> automation_run_routes()
{
    return {
        route<start_automation>(
            "POST", "/v1/api/automations/{automation}/runs", "startAutomation",
            "Run an automation now", needs_room, description(about_starting),
            takes_fields<StartFields>, sends_fields("Idempotency-Replayed", "Preference-Applied"),
            responds_with({.status = 200,
                           .meaning = "The run has ended, or the key was used before.",
                           .media_type = "application/json",
                           .schema = detail::ResponseTraits<StartAnswer>::schema()}),
            may_fail(Errc::invalid_idempotency_key, Errc::idempotency_mismatch, Errc::not_found,
                     Errc::automation_busy)),
        route<list_automation_runs>(
            "GET", "/v1/api/automations/{automation}/runs", "listAutomationRuns",
            "List the runs of an automation, newest first", may_fail(Errc::invalid_cursor)),
        route<list_all_automation_runs>("GET", "/v1/api/automation_runs", "listAllAutomationRuns",
                                        "List the runs of all your automations, newest first",
                                        may_fail(Errc::invalid_cursor)),
        route<get_automation_run>("GET", "/v1/api/automation_runs/{run}", "getAutomationRun",
                                  "Get one run of an automation"),
        route<cancel_automation_run>("POST", "/v1/api/automation_runs/{run}/cancel",
                                     "cancelAutomationRun", "Cancel a run of an automation"),
        route<retry_automation_run>(
            "POST", "/v1/api/automation_runs/{run}/retry", "retryAutomationRun",
            "Try a failed, skipped or missed run again", needs_room,
            description("Needs the scopes `automation:write` and `chat:write`."),
            may_fail(Errc::conflict)),
    };
}

}  // namespace parley::api
