// How the result of an endpoint becomes a response, and how it is called. See route.hpp for what an
// endpoint is, arguments.hpp for its parameters.
#pragma once

#include "api/arguments.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "fields/schema.hpp"
#include "fields/write.hpp"

#include <boost/json/object.hpp>

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::api {

// A new resource, and its path.
template <fields::WireStruct T>
struct Created {
    T value;
    std::string location;
};

http::Response json_response(int status, std::string json);

namespace detail {

// How the value of a result is sent.
//
// A specialisation whose response() also takes the call can use the request. `fields` names the
// header fields that it may add.
template <class Value>
struct ResponseTraits {
    static constexpr int status = 200;
    static boost::json::object schema()
    {
        return fields::schema<Value>(fields::Direction::response);
    }
    static http::Response response(const Value& value)
    {
        return json_response(status, fields::write(value));
    }
};

template <class T>
struct ResponseTraits<Created<T>> {
    static constexpr int status = 201;
    static constexpr std::array fields{"Location"};
    static boost::json::object schema() { return fields::schema<T>(fields::Direction::response); }
    static http::Response response(const Created<T>& created)
    {
        auto response = json_response(status, fields::write(created.value));
        response.fields.add("Location", created.location);
        return response;
    }
};

template <>
struct ResponseTraits<void> {
    static constexpr int status = 204;
};

template <>
struct ResponseTraits<http::Response> {
    static constexpr int status = 200;
    static http::Response response(http::Response response) { return response; }
};

template <class Returned>
struct ReturnType {
    static_assert(!sizeof(Returned), "an endpoint returns Result<T> or Task<Result<T>>");
};
template <class T>
struct ReturnType<DeducedResult<T>> {
    static constexpr bool is_task = false;
    using Value = T;
};
template <class T>
struct ReturnType<Task<DeducedResult<T>>> {
    static constexpr bool is_task = true;
    using Value = T;
};

template <class Value>
Result<http::Response> to_response(DeducedResult<Value> result, const Call& call)
{
    if (!result) return std::move(result).error();
    if constexpr (std::is_void_v<Value>)
        return http::Response{.status = ResponseTraits<void>::status, .fields = {}, .body = {}};
    else if constexpr (requires { ResponseTraits<Value>::response(*result, call); })
        return ResponseTraits<Value>::response(*result, call);
    else
        return ResponseTraits<Value>::response(std::move(*result));
}

// The query of an endpoint without a Query parameter: every parameter is unknown.
struct NoParameters {
    static constexpr auto fields() { return std::tuple(); }
};

template <class Returned, class... Parameters>
std::tuple<Parameters...> make_arguments(Returned (* /*function*/)(Parameters...), Call& call,
                                         Faults& faults)
{
    if constexpr (((Argument<Parameters>::kind != ArgumentKind::query) && ...))
        Argument<Query<NoParameters>>::make(call, faults);
    return std::tuple<Parameters...>{Argument<Parameters>::make(call, faults)...};
}

template <class Function>
struct ReturnedBy;
template <class Returned, class... Parameters>
struct ReturnedBy<Returned (*)(Parameters...)> {
    using type = Returned;
};

template <auto function>
Task<Result<http::Response>> call_endpoint(Call& call)
{
    using Returned = typename ReturnedBy<decltype(function)>::type;
    Faults faults;
    auto arguments = make_arguments(function, call, faults);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    if (!call.body.is_null()) call.let_go_of_body();  // An UnreadBody has moved it out.
    if constexpr (ReturnType<Returned>::is_task)
        co_return to_response(co_await std::apply(function, std::move(arguments)), call);
    else
        co_return to_response(std::apply(function, std::move(arguments)), call);
}

}  // namespace detail

}  // namespace parley::api
