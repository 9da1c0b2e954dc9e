// A resource with the entity tag of its revision (RFC 9110, ETag and If-Match): a client can make
// sure that the resource was not changed since it was fetched.
#pragma once

#include "api/endpoint.hpp"
#include "http/message.hpp"

#include <cstdint>
#include <optional>

namespace parley::api {

template <fields::WireStruct T>
struct WithETag {
    T value;
    std::int64_t revision = 0;
};

std::string entity_tag(std::int64_t revision);

// Whether a list of entity tags (If-Match, If-None-Match) names this one, or is *.
bool names_tag(std::string_view list, std::string_view tag);

// Whether If-Match allows a request for this revision; true without the field.
bool matches(const http::RequestHead& head, std::int64_t revision);

namespace detail {

template <class T>
struct ResponseTraits<WithETag<T>> {
    static constexpr int status = 200;
    static constexpr std::array fields{"ETag"};
    static boost::json::object schema() { return fields::schema<T>(fields::Direction::response); }
    static http::Response response(const WithETag<T>& tagged)
    {
        auto response = json_response(status, fields::write(tagged.value));
        response.fields.add("ETag", entity_tag(tagged.revision));
        return response;
    }
};

}  // namespace detail

}  // namespace parley::api
