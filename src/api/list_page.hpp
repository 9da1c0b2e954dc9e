// A page of a list as an endpoint returns it: sent as a List, with a Link to the next page that
// keeps the rest of the query as it was.
#pragma once

#include "api/endpoint.hpp"
#include "api/wire/list.hpp"

#include <string>

namespace parley::api {

template <fields::WireStruct T>
struct ListPage {
    List<T> list;
};

// The path and query of the call with `after` replaced.
std::string link_to_next(const Call& call, std::string_view cursor);

namespace detail {

template <class T>
struct ResponseTraits<ListPage<T>> {
    static constexpr int status = 200;
    static constexpr std::array fields{"Link"};
    static boost::json::object schema()
    {
        return fields::schema<List<T>>(fields::Direction::response);
    }
    static http::Response response(const ListPage<T>& listed, const Call& call)
    {
        auto response = json_response(status, fields::write(listed.list));
        if (listed.list.next_cursor)
            response.fields.add("Link", link_to_next(call, *listed.list.next_cursor));
        return response;
    }
};

}  // namespace detail

}  // namespace parley::api
