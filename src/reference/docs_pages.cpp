#include "api/accept.hpp"
#include "api/html.hpp"
#include "api/static_resource.hpp"
#include "api/wire/guide.hpp"
#include "reference/embedded.hpp"
#include "reference/markdown.hpp"
#include "reference/reference.hpp"

#include <functional>
#include <map>

namespace parley::reference {

using namespace api;
namespace {

// The script; its address contains its version, so that browsers may cache it forever.
const StaticResource& script()
{
    static const StaticResource found = StaticResource::already_compressed(
        "text/javascript; charset=utf-8", std::string(reference_script()));
    return found;
}

// Scalar writes styles into the page and into elements at run time; it does not run text as code.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

// The script reads this from its own element. The texts are constant, so they need no escaping.
constexpr std::string_view settings =
    R"({"withDefaultFonts":false,"telemetry":false,"hideClientButton":true,"showDeveloperTools":"never",)"
    R"("agent":{"disabled":true},"mcp":{"disabled":true},"persistAuth":false,"proxyUrl":"",)"
    R"("authentication":{"preferredSecurityScheme":"bearer"},"defaultOpenAllTags":false,"hideModels":true,)"
    R"("metaData":{"title":"Parley"}})";

std::string reference_page()
{
    std::string page = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Reference · Parley</title>
</head>
<body>
<noscript>The reference needs JavaScript; it is also at <a href="openapi.json">/openapi.json</a>.</noscript>
<script id="api-reference" data-url="openapi.json" data-configuration=')";
    page.append(settings).append("'></script>\n<script src=\"docs/reference.js?");
    page.append(script().gzipped.tag.substr(1, 16)).append("\"></script>\n</body>\n</html>\n");
    return page;
}

std::string list_of_guides(std::string_view prefix)
{
    std::string list = "<ul>\n";
    for (const Guide& guide : guides())
        list.append("<li><a href=\"")
            .append(prefix)
            .append(guide.name)
            .append("\">")
            .append(escape_html(title_of_markdown(guide.markdown)))
            .append("</a></li>\n");
    return list + "</ul>\n";
}

// Shown by a program that was built without the script.
std::string page_without_reference()
{
    return html_page("Documentation",
                     "<h1>Documentation</h1>\n<p>The interface is described by "
                     "<a href=\"openapi.json\">/openapi.json</a>.</p>\n" +
                         list_of_guides("docs/guides/"));
}

Result<http::Response> get_docs(const http::RequestHead& head)
{
    if (reference_script().empty()) {
        static const StaticResource page(html_type, page_without_reference());
        return html_response(page, head);
    }
    static const StaticResource page(html_type, reference_page());
    http::Response response = cached_response(page, head);
    response.fields.add("Content-Security-Policy", policy);
    response.fields.add("Referrer-Policy", "no-referrer");
    return response;
}

Result<http::Response> get_docs_script(const http::RequestHead& head)
{
    if (reference_script().empty())
        return Error{Errc::not_found, "This server was built without the page of the reference."};
    if (!accepts_coding(head, "gzip"))
        return Error{Errc::not_acceptable,
                     "This file is available with gzip only; accept gzip in Accept-Encoding."};
    return cached_response(script(), head, "public, max-age=31536000, immutable");
}

Result<http::Response> list_guides(const http::RequestHead& head)
{
    static const StaticResource page(
        html_type,
        html_page("Guides",
                  "<h1>Guides</h1>\n" + list_of_guides("guides/") +
                      "<p>Every operation is in the <a href=\"../docs\">reference</a>.</p>\n"));
    return html_response(page, head);
}

std::string page_of(const Guide& guide)
{
    const std::string ways =
        "<p class=\"status\"><a href=\"../guides\">Guides</a> · <a href=\"../../docs\">"
        "Reference</a></p>\n";
    return html_page(title_of_markdown(guide.markdown), ways + html_of_markdown(guide.markdown));
}

Result<http::Response> get_guide(Path<GuidePath> path, const http::RequestHead& head)
{
    static const auto pages = [] {
        std::map<std::string, StaticResource, std::less<>> made;
        for (const Guide& guide : guides())
            made.emplace(guide.name, StaticResource(html_type, page_of(guide)));
        return made;
    }();
    const auto found = pages.find(path.guide);
    if (found == pages.end()) return Error{Errc::not_found, "There is no guide of this name."};
    return html_response(found->second, head);
}

}  // namespace

std::vector<Route> docs_routes()
{
    const auto page = responds_with_text("text/html", "A page for browsers.");
    const auto kept = sends_fields("ETag", "Cache-Control", "Vary");
    const auto unchanged = responds_with({.status = 304, .meaning = "Not modified."});
    return {
        route<get_docs>("GET", "/docs", "getDocs", "This reference, to read and to try out", open,
                        page, kept, unchanged),
        route<get_docs_script>("GET", "/docs/reference.js", "getDocsScript",
                               "The script of the reference page", open, kept, lenient,
                               responds_with_text("text/javascript", "The script."), unchanged,
                               may_fail(Errc::not_found, Errc::not_acceptable)),
        route<list_guides>("GET", "/docs/guides", "listGuides", "The guides", open, page, kept,
                           unchanged),
        route<get_guide>("GET", "/docs/guides/{guide}", "getGuide", "One guide", open, page, kept,
                         unchanged),
    };
}

}  // namespace parley::reference
