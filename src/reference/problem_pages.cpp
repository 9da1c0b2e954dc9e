#include "api/accept.hpp"
#include "api/html.hpp"
#include "api/wire/problem.hpp"
#include "reference/markdown.hpp"
#include "reference/problem_guide.hpp"
#include "reference/reference.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace parley::reference {

using namespace api;
namespace {

enum class Form { html, json };

// A browser asks for HTML; a client without a preference is a program.
Result<Form> preferred_form(const http::RequestHead& head)
{
    const int html =
        std::max(preference(head, "text/html"), preference(head, "application/xhtml+xml"));
    const int json = std::max(preference(head, "application/json"),
                              preference(head, "application/problem+json"));
    if (html > json) return Form::html;
    if (json > 0) return Form::json;
    return Error{Errc::not_acceptable, "This is available as text/html and as application/json."};
}

std::vector<std::string> causes_of(const ProblemGuide& guide)
{
    std::vector<std::string> causes;
    for (const std::string_view cause : guide.causes)
        if (!cause.empty()) causes.emplace_back(cause);
    return causes;
}

ProblemView view(const Problem& problem)
{
    return {.code = std::string(problem.code),
            .title = std::string(problem.title),
            .status = problem.status,
            .explanation = std::string(problem.explanation),
            .causes = causes_of(guide_to(problem.errc)),
            .remedy = std::string(guide_to(problem.errc).remedy),
            .example = example_of(problem)};
}

// One member per line.
std::string pretty(const boost::json::object& object)
{
    std::string text = "{";
    for (const auto& [name, value] : object)
        text.append(text.size() > 1 ? ",\n  " : "\n  ")
            .append(boost::json::serialize(name))
            .append(": ")
            .append(boost::json::serialize(value));
    return text + "\n}";
}

// Links are relative, so that they also work behind a proxy that adds a prefix to our paths.
std::string page_about(const Problem& problem)
{
    std::string page;
    page += "<p class=\"status\">" + std::to_string(problem.status) + "</p>\n";
    page += "<h1>" + escape_html(problem.title) + "</h1>\n";
    page += "<p><code>" + escape_html(problem.code) + "</code></p>\n";
    page += "<p>" + html_of_inline_markdown(problem.explanation) + "</p>\n";
    const ProblemGuide& guide = guide_to(problem.errc);
    page += "<h2>Likely causes</h2>\n<ul>\n";
    for (const std::string& cause : causes_of(guide))
        page += "<li>" + html_of_inline_markdown(cause) + "</li>\n";
    page += "</ul>\n<h2>What to do</h2>\n<p>" + html_of_inline_markdown(guide.remedy) + "</p>\n";
    page += "<h2>Example</h2>\n<pre><code>" + escape_html(pretty(example_of(problem))) +
            "</code></pre>\n";
    page += "<p><a href=\"../problems\">All problems</a> · <a href=\"../docs\">Reference</a></p>\n";
    return html_page(problem.title, page);
}

std::string page_of_all()
{
    std::string page =
        "<h1>Problems</h1>\n"
        "<p>The errors of this server and their meaning.</p>\n"
        "<table>\n";
    for (const Problem& problem : problems()) {
        const std::string code = escape_html(problem.code);
        page += "<tr><td class=\"status\">" + std::to_string(problem.status) + "</td>";
        page.append("<td><a href=\"problems/").append(code).append("\"><code>");
        page.append(code).append("</code></a></td>");
        page += "<td>" + escape_html(problem.title) + "</td></tr>\n";
    }
    return html_page("Problems", page + "</table>\n");
}

// The page for people, and its JSON for programs.
struct Forms {
    Forms(std::string html_text, std::string json_text)
        : html(html_type, std::move(html_text)), json("application/json", std::move(json_text))
    {
    }

    StaticResource html;
    StaticResource json;
};

Result<http::Response> preferred(const Forms& forms, const http::RequestHead& head)
{
    const auto form = preferred_form(head);
    if (!form) return form.error();
    constexpr std::string_view varies_by = "Accept, Accept-Encoding";
    if (*form == Form::html) return html_response(forms.html, head, varies_by);
    return cached_response(forms.json, head, kept_for_minutes, varies_by);
}

Result<http::Response> get_problem(Path<ProblemPath> path, const http::RequestHead& head)
{
    static const auto all = [] {
        std::map<std::string, Forms, std::less<>> made;
        for (const Problem& problem : problems())
            made.emplace(problem.code, Forms(page_about(problem), fields::write(view(problem))));
        return made;
    }();
    const auto found = all.find(path.code);
    if (found == all.end()) return Error{Errc::not_found, "There is no problem with this code."};
    return preferred(found->second, head);
}

Result<http::Response> list_problems(const http::RequestHead& head)
{
    static const Forms forms = [] {
        ProblemList list;
        for (const Problem& problem : problems()) list.data.push_back(view(problem));
        return Forms(page_of_all(), fields::write(list));
    }();
    return preferred(forms, head);
}

template <class T>
DocumentedResponse in_json()
{
    return {.meaning = "For programs.",
            .media_type = "application/json",
            .schema = fields::schema<T>(fields::Direction::response)};
}

}  // namespace

std::vector<Route> problem_routes()
{
    const auto in_html = responds_with_text("text/html", "A page for browsers.");
    const auto kept = sends_fields("ETag", "Cache-Control", "Vary");
    const auto unchanged = responds_with({.status = 304, .meaning = "Not modified."});
    return {
        route<list_problems>("GET", "/problems", "listProblems", "List all errors", open,
                             responds_with(in_json<ProblemList>()), in_html, kept, unchanged,
                             may_fail(Errc::not_acceptable)),
        route<get_problem>("GET", "/problems/{code}", "getProblem", "Explain an error", open,
                           responds_with(in_json<ProblemView>()), in_html, kept, unchanged,
                           may_fail(Errc::not_acceptable)),
    };
}

}  // namespace parley::reference
