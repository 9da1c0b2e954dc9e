#include "api/html.hpp"

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
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.25; }
code { font: .9em ui-monospace, monospace; }
a { color: var(--link); }
table { border-collapse: collapse; }
td { padding: .35rem 1rem .35rem 0; border-top: 1px solid var(--line); vertical-align: baseline; }
.status { margin: 0; color: var(--soft); font-variant-numeric: tabular-nums; }
)";

// Only this very style sheet may be applied; everything else is forbidden.
std::string content_security_policy()
{
    std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
    crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(style.data()),
                       style.size());
    std::array<char,
               sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)>
        text{};
    sodium_bin2base64(text.data(), text.size(), hash.data(), hash.size(),
                      sodium_base64_VARIANT_ORIGINAL);
    return "default-src 'none'; style-src 'sha256-" + std::string(text.data()) +
           "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
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
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
    page.append(escape_html(title)).append(" · Parley</title>\n<style>").append(style);
    page.append("</style>\n</head>\n<body>\n<main>\n").append(content);
    page.append("</main>\n</body>\n</html>\n");
    return page;
}

http::Response html_response(std::string page)
{
    static const std::string policy = content_security_policy();
    http::Response response{.status = 200, .fields = {}, .body = std::move(page)};
    response.fields.add("Content-Type", "text/html; charset=utf-8");
    response.fields.add("Content-Security-Policy", policy);
    response.fields.add("Referrer-Policy", "no-referrer");
    return response;
}

}  // namespace parley::api
