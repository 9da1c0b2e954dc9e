#include "api/web_app.hpp"

#include "api/api.hpp"
#include "api/html.hpp"
#include "api/static_resource.hpp"
#include "api/web_files.hpp"
#include "api/wire/web_app.hpp"
#include "engine/models.hpp"
#include "store/store.hpp"

#include <algorithm>

namespace parley::api {
namespace {

// Only the app's own files run, no request goes to another origin, and text becomes HTML only
// through the sanitiser's policy.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types dompurify";

constexpr std::string_view page_name = "index.html";

struct ServedFile {
    explicit ServedFile(const WebFile& file)
        : name(file.name),
          forms(StaticResource::made_before(std::string(file.media_type), std::string(file.plain),
                                            std::string(file.gzip), std::string(file.brotli)))
    {
    }

    std::string_view name;
    StaticResource forms;
};

const ServedFile* find_file(std::string_view name)
{
    static const std::vector<ServedFile> all(web_files().begin(), web_files().end());
    const auto found = std::ranges::find(all, name, &ServedFile::name);
    return found == all.end() ? nullptr : &*found;
}

http::Response page_without_app()
{
    return html_response(
        html_page("Parley",
                  "<h1>Parley</h1>\n<p>This server was built without its web app. Its "
                  "interface is described in <a href=\"docs\">the reference</a>.</p>\n"));
}

Result<http::Response> web_page(const http::RequestHead& head)
{
    const ServedFile* page = find_file(page_name);
    if (!page) return page_without_app();
    auto response = cached_response(page->forms, head, "no-cache");
    response.fields.add("Content-Security-Policy", policy);
    response.fields.add("Cross-Origin-Opener-Policy", "same-origin");
    response.fields.add("Referrer-Policy", "no-referrer");
    return response;
}

// The name of a file changes with its content, so that browsers may cache it forever.
Result<http::Response> web_file(const http::RequestHead& head, Path<WebFilePath> path)
{
    const ServedFile* file = path.file == page_name ? nullptr : find_file(path.file);
    if (!file) return Error{Errc::not_found, "The web app has no file of this name."};
    return cached_response(file->forms, head, "public, max-age=31536000, immutable");
}

std::optional<std::string> unless_empty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

Task<Result<WebAppView>> web_app_settings(store::Store& store, const engine::Models& models,
                                          const WebApp& app)
{
    if (!app.is_set_up) {
        const auto has_operator = co_await store.accounts().has_operator();
        if (!has_operator) co_return has_operator.error();
        app.is_set_up = *has_operator;
    }
    co_return WebAppView{.client_token = app.client_token,
                         .contact = unless_empty(app.contact),
                         .needs_setup = !app.is_set_up,
                         .default_model = models.default_name(),
                         .note = unless_empty(app.note),
                         .demonstration_model = unless_empty(app.demonstration_model),
                         .version = app.version,
                         .login_provider = unless_empty(app.login_provider)};
}

}  // namespace

std::vector<Route> web_app_routes()
{
    const auto has_it = responds_with({.status = 304, .meaning = "Not modified."});
    return {
        route<web_page>("GET", "/", "webPage", "The web app", open,
                        responds_with_text("text/html", "The page."),
                        sends_fields("ETag", "Cache-Control"), has_it),
        route<web_file>("GET", "/app/{file}", "webFile", "A file of the web app", open, lenient,
                        responds_with_text("text/javascript", "The file."),
                        sends_fields("ETag", "Cache-Control"), has_it, may_fail(Errc::not_found)),
        route<web_app_settings>("GET", "/app.json", "webAppSettings",
                                "Settings of the web app before a login", open),
    };
}

}  // namespace parley::api
