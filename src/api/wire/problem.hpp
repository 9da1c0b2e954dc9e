// What travels over /problems: what each error code of this server means.
#pragma once

#include "base/field_schema.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

// One thing that is wrong with a request.
struct FaultView {
    std::optional<std::string> pointer;
    std::optional<std::string> parameter;
    std::string code;
    std::string detail;

    static constexpr wire::Noun noun{"Fault", "One thing that is wrong with a request."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = FaultView;
        return std::tuple(
            field("pointer", &View::pointer, "Where in the body (RFC 6901).", omit_if_absent,
                  example("#/message")),
            field("parameter", &View::parameter,
                  "Which parameter of the path or the query, or which header field.",
                  omit_if_absent),
            field("code", &View::code, "What programs tell faults apart by.", example("too_short")),
            field("detail", &View::detail, "What is wrong there.", example("must not be empty")));
    }
};

// What problem_response() in api/problem.hpp writes.
struct ProblemBody {
    std::string type;
    std::string title;
    std::int64_t status = 0;
    std::string detail;
    std::string instance;
    std::string code;
    std::string request_id;
    std::optional<std::vector<FaultView>> errors;
    std::optional<std::string> contact;
    std::optional<std::string> required_scope;
    std::optional<std::vector<std::string>> violated_policies;
    std::optional<std::vector<std::string>> active_run_ids;
    std::optional<std::string> run_id;
    std::optional<std::string> session_id;

    static constexpr wire::Noun noun{
        "Problem", "What went wrong (RFC 9457). Programs decide by `code`; more of them may come."};
    static constexpr auto fields()
    {
        using namespace wire;
        using This = ProblemBody;
        return std::tuple(
            field("type", &This::type, "The address of a page about this problem.",
                  format("uri-reference"), example("/problems/not_found")),
            field("title", &This::title, "What happened, in a few words.",
                  example("There is nothing here")),
            field("status", &This::status, "The HTTP status.", range(400, 599), example(404)),
            field("detail", &This::detail, "What happened this time.",
                  example("There is nothing at this path.")),
            field("instance", &This::instance, "This very occurrence.", format("uri"),
                  example("urn:parley:request:req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("code", &This::code, "What programs tell problems apart by.",
                  example("not_found")),
            field("request_id", &This::request_id, "What the server's log calls the request.",
                  example("req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("errors", &This::errors, "All that is wrong with the request, at once.",
                  omit_if_absent),
            field("contact", &This::contact, "401 alone: whom to ask for access.", omit_if_absent),
            field("required_scope", &This::required_scope,
                  "`insufficient_scope` alone: what the token lacks.", omit_if_absent),
            field("violated-policies", &This::violated_policies,
                  "`rate_limited` alone: the classes whose limit is spent.", omit_if_absent),
            field("active_run_ids", &This::active_run_ids,
                  "`session_busy` alone: the runs that go on.", omit_if_absent),
            field("run_id", &This::run_id, "Of a run that failed: its id.", omit_if_absent),
            field("session_id", &This::session_id, "Of a run that failed: its session.",
                  omit_if_absent));
    }
};

struct ProblemPath {
    std::string code;

    static constexpr auto fields()
    {
        return std::tuple(wire::field("code", &ProblemPath::code, "The `code` of a problem."));
    }
};

struct ProblemView {
    std::string object = "problem";
    std::string code;
    std::string title;
    std::int64_t status = 0;
    std::string explanation;
    std::vector<std::string> causes;
    std::string remedy;
    boost::json::object example;

    static constexpr wire::Noun noun{"ProblemPage", "What an error means."};
    static constexpr auto fields()
    {
        using wire::field;
        return std::tuple(
            field("object", &ProblemView::object, "Always `problem`.", wire::one_of("problem")),
            field("code", &ProblemView::code, "What programs tell errors apart by.",
                  wire::example("not_found")),
            field("title", &ProblemView::title, "What happened, in a few words.",
                  wire::example("There is nothing here")),
            field("status", &ProblemView::status, "The HTTP status that comes with it.",
                  wire::example(404)),
            field("explanation", &ProblemView::explanation, "What happened, and what to do.",
                  wire::example("No resource has this address.")),
            field("causes", &ProblemView::causes, "What may have led to it, the likeliest first."),
            field("remedy", &ProblemView::remedy, "What to do about it.",
                  wire::example("Compare the path with the reference.")),
            field("example", &ProblemView::example, "A body as a client might get it.",
                  wire::shaped_as<ProblemBody>));
    }
};

struct ProblemList {
    std::string object = "list";
    std::vector<ProblemView> data;
    bool has_more = false;
    std::optional<std::string> next_cursor;

    static constexpr wire::Noun noun{"ProblemPageList", "What all errors mean."};
    static constexpr auto fields()
    {
        using wire::field;
        return std::tuple(
            field("object", &ProblemList::object, "Always `list`.", wire::one_of("list")),
            field("data", &ProblemList::data, "All problems that there are."),
            field("has_more", &ProblemList::has_more, "Always false."),
            field("next_cursor", &ProblemList::next_cursor, "Always null."));
    }
};

}  // namespace parley::api
