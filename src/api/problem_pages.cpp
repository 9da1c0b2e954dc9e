#include "api/problem_pages.hpp"

#include "api/accept.hpp"
#include "api/html.hpp"
#include "api/problem.hpp"
#include "api/wire/problem.hpp"

#include <algorithm>

namespace parley::api {
namespace {

enum class Form { html, json };

// A browser names HTML; whoever asks for nothing in particular is a program.
Result<Form> preferred_form(const http::RequestHead& head)
{
    const int html =
        std::max(preference(head, "text/html"), preference(head, "application/xhtml+xml"));
    const int json = std::max(preference(head, "application/json"),
                              preference(head, "application/problem+json"));
    if (html > json) return Form::html;
    if (json > 0) return Form::json;
    return Error{Errc::not_acceptable, "This exists as text/html and as application/json."};
}

ProblemView view(const Problem& problem)
{
    return {.code = std::string(problem.code),
            .title = std::string(problem.title),
            .status = problem.status,
            .explanation = std::string(problem.explanation)};
}

// Links are relative, so that they also work behind a proxy that adds a prefix to our paths.
std::string page_about(const Problem& problem)
{
    std::string page;
    page += "<p class=\"status\">" + std::to_string(problem.status) + "</p>\n";
    page += "<h1>" + escape_html(problem.title) + "</h1>\n";
    page += "<p><code>" + escape_html(problem.code) + "</code></p>\n";
    page += "<p>" + escape_html(problem.explanation) + "</p>\n";
    page += "<p><a href=\"../problems\">All problems</a></p>\n";
    return html_page(problem.title, page);
}

std::string page_of_all()
{
    std::string page = "<h1>Problems</h1>\n<p>What the errors of this server mean.</p>\n<table>\n";
    for (const Problem& problem : problems()) {
        const std::string code = escape_html(problem.code);
        page += "<tr><td class=\"status\">" + std::to_string(problem.status) + "</td>";
        page.append("<td><a href=\"problems/").append(code).append("\"><code>");
        page.append(code).append("</code></a></td>");
        page += "<td>" + escape_html(problem.title) + "</td></tr>\n";
    }
    return html_page("Problems", page + "</table>\n");
}

http::Response varying_by_accept(http::Response response)
{
    response.fields.add("Vary", "Accept");
    return response;
}

Result<http::Response> one_problem(Path<ProblemPath> path, const http::RequestHead& head)
{
    const Problem* problem = find_problem(path.code);
    if (!problem) return Error{Errc::not_found, "There is no problem of this code."};
    const auto form = preferred_form(head);
    if (!form) return form.error();
    return varying_by_accept(*form == Form::html ? html_response(page_about(*problem))
                                                 : json_response(200, wire::write(view(*problem))));
}

Result<http::Response> list_problems(const http::RequestHead& head)
{
    const auto form = preferred_form(head);
    if (!form) return form.error();
    if (*form == Form::html) return varying_by_accept(html_response(page_of_all()));
    ProblemList list;
    for (const Problem& problem : problems()) list.data.push_back(view(problem));
    return varying_by_accept(json_response(200, wire::write(list)));
}

}  // namespace

std::vector<Route> problem_routes()
{
    return {
        route<list_problems>("GET", "/problems", "All errors that there are", open),
        route<one_problem>("GET", "/problems/{code}", "What an error means", open),
    };
}

}  // namespace parley::api
