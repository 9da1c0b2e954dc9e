// Documentation of a row beyond what follows from its endpoint: options of route<>() that do not
// change how a request is served.
//
//   route<query_chat>("POST", "/v1/api/chat/query", "queryChat", "Send a message",
//                     description("The run continues without its client."),
//                     takes_fields<QueryFields>, may_fail(Errc::session_busy))
#pragma once

#include "base/error.hpp"
#include "fields/schema.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace parley::api {

// A response that does not follow from the type of the endpoint's result.
struct DocumentedResponse {
    int status = 200;
    std::string meaning;
    std::string media_type = {};  // Empty: it has no body.
    boost::json::object schema = {};
    std::vector<std::string> sent_fields = {};  // Header fields that only this response has.
    std::string example = {};                   // For responses that are text.
};

struct RouteDocs {
    std::string text = {};  // Markdown, after the summary.
    std::string_view group = {};
    std::optional<boost::json::object> taken_fields = {};  // The schema of its header fields.
    std::vector<std::string> sent_fields = {};  // Header fields of its answers, beside the usual.
    std::vector<std::string> run_fields = {};   // Those of every answer about a run, failed or not.
    std::vector<DocumentedResponse> answers = {};
    std::vector<Errc> errors = {};  // Beside the errors that every such row can give.
};

struct Description {
    std::string_view text;
    void document(RouteDocs& route_docs) const { route_docs.text = text; }
};
constexpr Description description(std::string_view text) { return {text}; }

// T declares header fields of the request.
template <fields::WireStruct T>
struct TakesFields {
    static void document(RouteDocs& route_docs) { route_docs.taken_fields = fields::schema<T>(); }
};
template <fields::WireStruct T>
inline constexpr TakesFields<T> takes_fields;

template <class... Names>
struct SendsFields {
    std::tuple<Names...> names;
    void document(RouteDocs& route_docs) const
    {
        std::apply([&](auto... name) { (route_docs.sent_fields.emplace_back(name), ...); }, names);
    }
};
template <class... Names>
constexpr SendsFields<Names...> sends_fields(Names... names)
{
    return {std::tuple(names...)};
}

// The endpoint asks a model: its responses carry the run, also those about a failed run.
struct DocumentsRun {
    static void document(RouteDocs& route_docs)
    {
        route_docs.run_fields = {"X-Run-Id", "Idempotency-Replayed"};
    }
};
inline constexpr DocumentsRun documents_run;

struct RespondsWith {
    DocumentedResponse answer;
    void document(RouteDocs& route_docs) const { route_docs.answers.push_back(answer); }
};
inline RespondsWith responds_with(DocumentedResponse answer) { return {std::move(answer)}; }

// A text response that programs do not parse.
inline RespondsWith responds_with_text(std::string media_type, std::string meaning)
{
    return {{.meaning = std::move(meaning),
             .media_type = std::move(media_type),
             .schema = {{"type", "string"}}}};
}

template <class... Codes>
struct MayFail {
    std::tuple<Codes...> codes;
    void document(RouteDocs& route_docs) const
    {
        std::apply([&](auto... code) { (route_docs.errors.push_back(code), ...); }, codes);
    }
};
template <class... Codes>
constexpr MayFail<Codes...> may_fail(Codes... codes)
{
    return {std::tuple(codes...)};
}

}  // namespace parley::api
