// Requests and responses of /v1/api/usage and /v1/api/me/usage.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/list.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct DailyUsageView {
    std::string object = "usage";
    std::string date;
    std::string user_id;
    std::string model;
    std::int64_t requests = 0;
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
    std::int64_t cached_input_tokens = 0;

    static constexpr fields::SchemaInfo schema_info{
        "DailyUsage", "Requests and tokens of a user and a model on one day."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = DailyUsageView;
        return std::tuple(
            field("object", &View::object, "Always `usage`.", one_of("usage")),
            field("date", &View::date,
                  "The day, in UTC. An answer counts on the day on which it ends.",
                  example("2026-01-31"), format("date")),
            field("user_id", &View::user_id, "The user.", example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"),
                  id_of_user),
            field("model", &View::model, "The model.", example("smollm2-135m")),
            field("requests", &View::requests, "Answers that the model has started.", example(12)),
            field("input_tokens", &View::input_tokens, "Tokens that the model has read.",
                  example(5312)),
            field("output_tokens", &View::output_tokens, "Tokens that the model has written.",
                  example(1840)),
            field("cached_input_tokens", &View::cached_input_tokens,
                  "The part of `input_tokens` that the model had in its cache.", example(4096)));
    }
};

namespace detail {

constexpr auto usage_day = fields::length(10, 10);

template <class Query>
constexpr auto fields_of_usage_query()
{
    using namespace parley::fields;
    return std::tuple(
        page_limit(&Query::limit), page_after(&Query::after),
        field("from", &Query::from, "The first day. Default: 29 days before the last one.",
              usage_day, example("2026-01-01"), format("date")),
        field("to", &Query::to, "The last day, included. Default: today, in UTC.", usage_day,
              example("2026-01-31"), format("date")),
        field("model", &Query::model, "Only this model.", length(1, 128), example("smollm2-135m")));
}

}  // namespace detail

struct OwnUsageQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> from;
    std::optional<std::string> to;
    std::optional<std::string> model;

    static constexpr auto fields() { return detail::fields_of_usage_query<OwnUsageQuery>(); }
};

struct UsageQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> from;
    std::optional<std::string> to;
    std::optional<std::string> model;
    std::optional<std::string> user;

    static constexpr auto fields()
    {
        return std::tuple_cat(
            detail::fields_of_usage_query<UsageQuery>(),
            std::tuple(fields::field("user", &UsageQuery::user, "Only this user.",
                                     fields::length(1, 64),
                                     fields::example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"))));
    }
};

}  // namespace parley::api
