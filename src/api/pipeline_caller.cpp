// How the pipeline identifies the caller of a request.
#include "api/authorization.hpp"
#include "api/pipeline_visit.hpp"
#include "auth/hook_authenticator.hpp"

namespace parley::api {

Ready<Result<>> Pipeline::identify(Visit& visit) const
{
    if (!authenticator_) return Result<>();  // No row needs a token: there is nothing to protect.
    if (visit.token.empty()) {
        const auto token = bearer_token(visit.head());
        if (!token) return token.error();
        visit.token = *token;
    }
    if (visit.row && visit.row->route.access->credential == Credential::hook_token)
        return identify_hook(visit);
    auto caller = visit.call.caller ? authenticator_->identify_again(visit.call.caller)
                                    : authenticator_->identify(visit.token);
    if (caller.is_ready()) return let_in(visit, caller.take());
    return let_in_later(visit, std::move(caller));
}

Task<Result<>> Pipeline::identify_hook(Visit& visit) const
{
    co_return let_in(
        visit, co_await hook_authenticator_->by_token(visit.hook(), std::string(visit.token)));
}

Result<> Pipeline::let_in(Visit& visit, Result<auth::CallerRef> caller)
{
    visit.call.caller = caller ? *caller : nullptr;
    if (!caller) return caller.error();
    return visit.row ? check_access(*visit.row->route.access, **caller) : Result<>();
}

Task<Result<>> Pipeline::let_in_later(Visit& visit, Ready<Result<auth::CallerRef>> caller)
{
    co_return let_in(visit, co_await caller.wait());
}

}  // namespace parley::api
