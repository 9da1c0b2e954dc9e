#include "api/static_resource.hpp"

#include "api/accept.hpp"
#include "api/gzip.hpp"
#include "api/with_etag.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"

#include <utility>

namespace parley::api {
namespace {

std::string tag_of(std::string_view text) { return "\"" + to_hex(sha256(text)) + "\""; }

struct ChosenForm {
    const CacheableForm& form;
    std::string_view coding;  // Empty for the plain one.
};

ChosenForm form_for(const http::RequestHead& head, const StaticResource& what)
{
    // Only if the field is present: a client that does not send it may know no codings.
    if (!what.brotli.is_empty() && head.count("accept-encoding") > 0 && accepts_coding(head, "br"))
        return {what.brotli, "br"};
    if (what.plain.is_empty() || prefers_gzip(head)) return {what.gzipped, "gzip"};
    return {what.plain, ""};
}

}  // namespace

bool client_has(const http::RequestHead& head, std::string_view tag)
{
    // A proxy that compresses makes the tag weak; it still identifies the content.
    const std::string weak = "W/" + std::string(tag);
    for (const http::Field& field : head.fields)
        if (http::same_name(field.name, "if-none-match") &&
            (names_tag(field.value, tag) || names_tag(field.value, weak)))
            return true;
    return false;
}

CacheableForm::CacheableForm(std::string text)
    : body(std::make_shared<const std::string>(std::move(text))), tag(tag_of(*body))
{
}

StaticResource::StaticResource(std::string type, std::string text, std::string packed)
    : media_type(std::move(type)), plain(std::move(text)), gzipped(std::move(packed))
{
}

StaticResource::StaticResource(std::string type, std::string text)
    : media_type(std::move(type)), plain(std::move(text)), gzipped(gzip(*plain.body))
{
}

StaticResource StaticResource::already_compressed(std::string type, std::string packed)
{
    return {std::move(type), {}, std::move(packed)};
}

StaticResource StaticResource::made_before(std::string type, std::string text, std::string gzipped,
                                           std::string brotli)
{
    StaticResource made(std::move(type), std::move(text), std::move(gzipped));
    made.brotli = CacheableForm(std::move(brotli));
    return made;
}

http::Response cached_response(const StaticResource& what, const http::RequestHead& head,
                               std::string_view cache_control, std::string_view varies_by)
{
    const auto& [form, coding] = form_for(head, what);
    http::Response response;
    response.fields.add("ETag", form.tag);
    response.fields.add("Cache-Control", cache_control);
    response.fields.add("Vary", varies_by);
    if (client_has(head, form.tag)) {
        response.status = 304;
        return response;
    }
    response.fields.add("Content-Type", what.media_type);
    if (!coding.empty()) response.fields.add("Content-Encoding", coding);
    response.shared_body = form.body;
    return response;
}

}  // namespace parley::api
