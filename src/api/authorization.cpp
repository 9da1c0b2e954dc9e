#include "api/authorization.hpp"

#include <boost/json/object.hpp>

namespace parley::api {
namespace {

constexpr std::string_view scheme = "Bearer";

Error missing_token()
{
    return {Errc::missing_token,
            "Send a token in the header field Authorization: Bearer <API_TOKEN>."};
}

}  // namespace

Result<std::string_view> bearer_token(const http::RequestHead& head)
{
    // Two of them are ambiguous: a proxy may have checked the other one.
    if (head.count("authorization") > 1)
        return invalid_request("The request has more than one Authorization field; send one.");
    const auto field = head.field("authorization");
    if (!field) return missing_token();
    const std::size_t space = field->find(' ');
    if (space == field->npos || !http::same_name(field->substr(0, space), scheme))
        return missing_token();
    const std::size_t begin = field->find_first_not_of(' ', space);
    if (begin == field->npos) return missing_token();
    return field->substr(begin);
}

Result<> check_access(const Access& access, const auth::Caller& caller)
{
    const bool has_scope = !access.scope || caller.scopes.has(*access.scope);
    const bool has_user = !access.by_user || !caller.user.empty();
    if (has_scope && has_user) return {};
    // A token without a user lacks all scopes of users, except the token of the command line. No
    // scope would help that one, so the error names none.
    const auth::Scope scope = access.scope.value_or(auth::Scope::account);
    if (caller.scopes.has(scope))
        return Error{Errc::insufficient_scope,
                     "This operation needs a token that belongs to a user."};
    const std::string_view needed = name_of(scope);
    return Error{.code = Errc::insufficient_scope,
                 .message = "The token lacks the scope " + std::string(needed) + ".",
                 .extra = {{"required_scope", needed}}};
}

void add_challenge(const Error& error, http::Fields& fields)
{
    std::string challenge = "Bearer realm=\"parley\"";
    switch (error.code) {
        case Errc::missing_token:
        case Errc::invalid_credentials:
        case Errc::second_factor_required:
            break;
        case Errc::invalid_token:
            challenge += ", error=\"invalid_token\"";
            break;
        case Errc::insufficient_scope:
            challenge += ", error=\"insufficient_scope\"";
            if (const auto* scope = error.extra.if_contains("required_scope"))
                challenge.append(", scope=\"").append(scope->as_string().c_str()).append("\"");
            break;
        default:
            return;
    }
    fields.add("WWW-Authenticate", challenge);
}

}  // namespace parley::api
