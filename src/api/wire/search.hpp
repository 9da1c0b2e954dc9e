// Requests and responses of /v1/api/search.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/list.hpp"
#include "domain/chat.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct SearchHitView {
    std::string object = "search.hit";
    std::string message_id;
    std::string session_id;
    std::string session_title;
    Speaker role = Speaker::user;
    std::string created_at;
    std::string snippet;
    std::vector<std::vector<std::int64_t>> marks;

    static constexpr fields::SchemaInfo schema_info{"SearchHit", "A message that was found."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = SearchHitView;
        return std::tuple(
            field("object", &View::object, "Always `search.hit`.", one_of("search.hit")),
            field("message_id", &View::message_id, "Id of the message.",
                  example("msg_01J9ZQ8R0000000000000000AB"), id_of_message),
            field("session_id", &View::session_id, "Id of its session.",
                  example("ses_01J9ZQ8R0000000000000000AB"), id_of_session),
            field("session_title", &View::session_title, "Title of its session.",
                  example("Greetings")),
            field("role", &View::role, "The role of its author."),
            field("created_at", &View::created_at, "When it was written.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("snippet", &View::snippet,
                  "The part of the text in which the words were found, on one line. `…` stands for "
                  "what was cut.",
                  example("Hello, world!")),
            field("marks", &View::marks,
                  "Start and end of each match in the snippet, in bytes of UTF-8."));
    }
};

struct SearchQuery {
    std::string q;
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> session_id;
    std::optional<Speaker> role;
    std::optional<std::string> since;
    std::optional<std::string> before;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = SearchQuery;
        constexpr auto time_size = length(1, 64);
        return std::tuple(
            field(
                "q", &This::q,
                "Words that the message must contain, at most 64. `\"a phrase\"` finds words that "
                "follow one another, `begin*` words that begin with `begin`.",
                characters(1, 500), example("hello wor*")),
            page_limit(&This::limit), page_after(&This::after),
            field("session_id", &This::session_id, "Only messages of this session.", length(1, 64),
                  example("ses_01J9ZQ8R0000000000000000AB")),
            field("role", &This::role, "Only messages of this role."),
            field("since", &This::since, "RFC 3339: written at this time or later.", time_size,
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("before", &This::before, "RFC 3339: written earlier than this time.", time_size,
                  example("2026-02-01T00:00:00.000Z"), moment));
    }
};

}  // namespace parley::api
