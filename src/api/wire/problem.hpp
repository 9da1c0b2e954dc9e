// Requests and responses of /problems: what each error code of this server means.
#pragma once

#include "fields/schema.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

// One fault of a request.
struct FaultView {
    std::optional<std::string> pointer;
    std::optional<std::string> parameter;
    std::string code;
    std::string detail;

    static constexpr fields::SchemaInfo schema_info{"Fault", "One fault of a request."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = FaultView;
        return std::tuple(
            field("pointer", &View::pointer, "The place in the body (RFC 6901).", omit_if_absent,
                  example("#/message")),
            field("parameter", &View::parameter,
                  "The parameter of the path or the query, or the header field.", omit_if_absent),
            field("code", &View::code, "The kind of fault, for programs.", example("too_short")),
            field("detail", &View::detail, "Description of the fault.",
                  example("must not be empty")));
    }
};

// The body that problem_response() in api/problem.hpp writes.
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
    std::optional<std::int64_t> oldest;
    std::optional<std::int64_t> latest;

    static constexpr fields::SchemaInfo schema_info{
        "Problem", "An error (RFC 9457). Programs decide by `code`; new codes may be added."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ProblemBody;
        return std::tuple(
            field("type", &This::type, "The address of a page about this problem.",
                  format("uri-reference"), example("/problems/not_found")),
            field("title", &This::title, "Short description of the problem.", example("Not found")),
            field("status", &This::status, "The HTTP status.", range(400, 599), example(404)),
            field("detail", &This::detail, "Description of this occurrence.",
                  example("There is nothing at this path.")),
            field("instance", &This::instance, "Identifies this occurrence.", format("uri"),
                  example("urn:parley:request:req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("code", &This::code, "The kind of problem, for programs.", example("not_found")),
            field("request_id", &This::request_id, "Id of the request in the server's log.",
                  example("req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("errors", &This::errors, "All faults of the request.", omit_if_absent),
            field("contact", &This::contact, "401 only: support contact.", omit_if_absent),
            field("required_scope", &This::required_scope,
                  "`insufficient_scope` only: the missing scope.", omit_if_absent),
            field("violated-policies", &This::violated_policies,
                  "`rate_limited` only: the limit classes that are used up.", omit_if_absent),
            field("active_run_ids", &This::active_run_ids, "`session_busy` only: the active runs.",
                  omit_if_absent),
            field("run_id", &This::run_id, "Id of a failed run.", omit_if_absent),
            field("session_id", &This::session_id, "Session of a failed run.", omit_if_absent),
            field("oldest", &This::oldest,
                  "`events_expired` only: the number of the oldest stored event.", omit_if_absent),
            field("latest", &This::latest, "`events_expired` only: the number of the newest event.",
                  omit_if_absent));
    }
};

struct ProblemPath {
    std::string code;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("code", &ProblemPath::code, "The `code` of a problem."));
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

    static constexpr fields::SchemaInfo schema_info{"ProblemPage", "Explanation of an error."};
    static constexpr auto fields()
    {
        using fields::field;
        return std::tuple(
            field("object", &ProblemView::object, "Always `problem`.", fields::one_of("problem")),
            field("code", &ProblemView::code, "The kind of error, for programs.",
                  fields::example("not_found")),
            field("title", &ProblemView::title, "Short description of the problem.",
                  fields::example("Not found")),
            field("status", &ProblemView::status, "The HTTP status.", fields::example(404)),
            field("explanation", &ProblemView::explanation, "What happened and what to do.",
                  fields::example("No resource has this address.")),
            field("causes", &ProblemView::causes, "Possible causes, the most likely first."),
            field("remedy", &ProblemView::remedy, "How to fix it.",
                  fields::example("Compare the path with the reference.")),
            field("example", &ProblemView::example, "An example of the body.",
                  fields::shaped_as<ProblemBody>));
    }
};

struct ProblemList {
    std::string object = "list";
    std::vector<ProblemView> data;
    bool has_more = false;
    std::optional<std::string> next_cursor;

    static constexpr fields::SchemaInfo schema_info{"ProblemPageList",
                                                    "Explanations of all errors."};
    static constexpr auto fields()
    {
        using fields::field;
        return std::tuple(
            field("object", &ProblemList::object, "Always `list`.", fields::one_of("list")),
            field("data", &ProblemList::data, "All problems."),
            field("has_more", &ProblemList::has_more, "Always false."),
            field("next_cursor", &ProblemList::next_cursor, "Always null."));
    }
};

}  // namespace parley::api
