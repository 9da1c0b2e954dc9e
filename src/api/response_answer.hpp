// The responses of the Responses API: a response, or the stream in its place.
#pragma once

#include "api/endpoint.hpp"
#include "api/wire/response.hpp"
#include "http/message.hpp"

#include <utility>

namespace parley::api {

struct ResponseAnswer {
    http::Response response = {};
};

inline ResponseAnswer answer_of(const ResponseView& view)
{
    return {json_response(200, fields::write(view))};
}

namespace detail {

template <>
struct ResponseTraits<ResponseAnswer> {
    static constexpr int status = 200;
    static boost::json::object schema()
    {
        return fields::schema<ResponseView>(fields::Direction::response);
    }
    static http::Response response(ResponseAnswer answer) { return std::move(answer.response); }
};

}  // namespace detail

}  // namespace parley::api
