#include "api/body.hpp"

#include "api/field_value.hpp"

#include <string_view>

namespace parley::api {
namespace {

Error unsupported(const char* why) { return {Errc::unsupported_media_type, why}; }

// Other parameters of the media type have no meaning for JSON.
bool names_another_charset(std::string_view parameters)
{
    while (!parameters.empty()) {
        const auto [name, value] = take_parameter(parameters);
        if (http::same_name(name, "charset") && !http::same_name(value, "utf-8")) return true;
    }
    return false;
}

Result<> check_is_json(const http::RequestHead& head)
{
    const auto given = head.field("content-type");
    if (!given) return unsupported("The Content-Type field is missing; send application/json.");
    std::string_view parameters = *given;
    const std::string_view type = take_until(';', parameters);
    if (!http::same_name(type, "application/json"))
        return unsupported("The Content-Type must be application/json.");
    if (names_another_charset(parameters))
        return unsupported("The charset of the Content-Type must be UTF-8.");
    for (const http::Field& field : head.fields)
        if (http::same_name(field.name, "content-encoding") &&
            !http::same_name(field.value, "identity"))
            return unsupported("The body must not have a Content-Encoding; send it uncompressed.");
    return {};
}

}  // namespace

Task<Result<std::string>> read_json_text(http::Exchange& exchange, std::size_t limit,
                                         http::Payer payer)
{
    if (auto claim = check_is_json(exchange.request()); !claim) co_return claim.error();
    co_return co_await exchange.body(limit, payer);
}

Task<Result<>> check_has_no_body(http::Exchange& exchange, http::Payer payer)
{
    // A chunked body may turn out to be empty at its end.
    if (!exchange.request().content_length) {
        const auto text = co_await exchange.body(0, payer);
        if (text && text->empty()) co_return Result<>();
        if (!text && text.error().code != Errc::body_too_large) co_return text.error();
    }
    co_return validation_failed({{"#", "not_allowed", "this operation takes no body"}});
}

}  // namespace parley::api
