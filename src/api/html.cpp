#include "api/html.hpp"

#include "base/sha256.hpp"

#include <sodium.h>

#include <array>

namespace parley::api {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --text: #223; --soft: #667; --line: #dde; --link: #2457d6; --page: #fff; }
@media (prefers-color-scheme: dark) {
    :root { --text: #dde; --soft: #99a; --line: #334; --link: #8ab4ff; --page: #14151a; }
}
body { max-width: 42rem; margin: 4rem auto; padding: 0 1.25rem; font: 1.0625rem/1.6 system-ui, sans-serif;
       color: var(--text); background: var(--page); }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.25rem; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.25; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre code, td code { overflow-wrap: normal; }
a { color: var(--link); }
table { border-collapse: collapse; }
table { display: block; overflow-x: auto; }
th { padding: .35rem 1rem .35rem 0; text-align: left; font-weight: 600; }
td { padding: .35rem 1rem .35rem 0; border-top: 1px solid var(--line); vertical-align: baseline; }
pre { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; }
.status { margin: 0; color: var(--soft); font-variant-numeric: tabular-nums; }
)";

// "'sha256-…'": names a piece of inline text in a content security policy.
std::string source_of(std::string_view text)
{
    const Sha256 hash = sha256(text);
    constexpr int variant = sodium_base64_VARIANT_ORIGINAL;
    std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, variant)> encoded{};
    sodium_bin2base64(encoded.data(), encoded.size(), hash.data(), hash.size(), variant);
    return "'sha256-" + std::string(encoded.data()) + "'";
}

std::string content_security_policy()
{
    return "default-src 'none'; style-src " + source_of(style) +
           "; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace

std::string escape_html(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string html_page(std::string_view title, std::string_view content)
{
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link "
        "rel=\"icon\" href=\"data:,\">\n"
        "<title>";
    page.append(escape_html(title)).append(" · Parley</title>\n<style>").append(style);
    page.append("</style>\n</head>\n<body>\n<main>\n").append(content);
    page.append("</main>\n</body>\n</html>\n");
    return page;
}

http::Response html_response(std::string page)
{
    http::Response response{.status = 200, .fields = {}, .body = std::move(page)};
    response.fields.add("Content-Type", html_type);
    response.fields.add("Content-Security-Policy", content_security_policy());
    response.fields.add("Referrer-Policy", "no-referrer");
    return response;
}

http::Response html_response(const StaticResource& page, const http::RequestHead& head,
                             std::string_view varies_by)
{
    static const std::string policy = content_security_policy();
    http::Response response = cached_response(page, head, kept_for_minutes, varies_by);
    response.fields.add("Content-Security-Policy", policy);
    response.fields.add("Referrer-Policy", "no-referrer");
    return response;
}

}  // namespace parley::api
