// How the pipeline reads the body of a request, and what depends on it.
#include "api/body.hpp"
#include "api/budget.hpp"
#include "api/pipeline_visit.hpp"
#include "auth/hook_authenticator.hpp"

namespace parley::api {
namespace {

// Empty if it is missing or ambiguous.
std::string_view only_field(const http::RequestHead& head, std::string_view name)
{
    return head.count(name) == 1 ? *head.field(name) : std::string_view();
}

}  // namespace

Task<Result<>> Pipeline::read_body(Visit& visit) const
{
    http::Exchange& exchange = visit.call.exchange;
    const http::Payer payer = visit.call.payer();
    if (visit.must_not_have_body()) co_return co_await check_has_no_body(exchange, payer);
    const Route& route = visit.row->route;
    std::string& text = visit.call.body_text;
    if (!route.is_signed()) {
        auto received = co_await read_json_text(exchange, route.body_limit(max_body_), payer);
        if (!received) co_return received.error();
        text = std::move(*received);
    }
    auto parsed = co_await bodies_.parse(text);
    if (route.is_signed() || !route.keeps_body_text || !parsed) std::string().swap(text);
    if (!parsed) co_return parsed.error();
    visit.call.body = std::move(*parsed);
    co_return Result<>();
}

Task<Result<>> Pipeline::settle(Visit& visit, Budget& budget, bool has_body)
{
    if (!has_body) co_return co_await budget.body_was_refused();
    if (visit.may_replay()) {
        const auto replays = co_await visit.row->route.replays(visit.call);
        if (!replays) co_return replays.error();
        visit.call.counts_as_replay = *replays;
        co_return co_await budget.settle_replay(*replays);
    }
    if (visit.counts_as_its_row() && visit.row->route.account)
        if (auto account = co_await visit.row->route.account(visit.call))
            co_return co_await budget.charge_account(std::move(*account));
    co_return Result<>();
}

Task<Result<>> Pipeline::receive_signed(Visit& visit) const
{
    Call& call = visit.call;
    const http::RequestHead& head = visit.head();
    auth::SignedCall signed_call{.hook = visit.hook(),
                                 .webhook_id = only_field(head, "webhook-id"),
                                 .webhook_timestamp = only_field(head, "webhook-timestamp"),
                                 .webhook_signature = only_field(head, "webhook-signature"),
                                 .github_signature = only_field(head, "x-hub-signature-256"),
                                 .body = {}};
    // An address that has spent its requests may still be that of a sender with the right secret:
    // the body is read nevertheless. For all hooks alike, or it would show which of them exist.
    if (!signed_call.has_signature()) co_return auth::wrong_signature();
    auto text = co_await read_json_text(call.exchange, visit.row->route.body_limit(max_body_),
                                        call.payer());
    if (!text) co_return text.error();
    call.body_text = std::move(*text);
    signed_call.body = call.body_text;
    co_return let_in(visit, co_await hook_authenticator_->by_signature(std::move(signed_call)));
}

}  // namespace parley::api
