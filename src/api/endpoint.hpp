// How the parameters of an endpoint are made from a request, and how its result becomes a response.
// See route.hpp for what an endpoint is.
#pragma once

#include "api/call.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "fields/read.hpp"
#include "fields/schema.hpp"
#include "fields/write.hpp"

#include <boost/json/object.hpp>

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::api {

template <fields::WireStruct T>
struct Path : T {};
template <fields::WireStruct T>
struct Query : T {};
template <fields::WireStruct T>
struct Body : T {};

// A body that the endpoint reads itself, in part or completely, or passes on unchanged. It may be
// large: before long work, the endpoint releases it and shrinks its share of the memory.
template <fields::WireStruct T>
struct UnreadBody {
    boost::json::value json;
    std::string text;
    BodyShare share;

    // Fields that T does not know are ignored.
    T read(Faults& faults) const
    {
        return fields::read<T>(json, faults, fields::UnknownFields::ignored);
    }
};

// A new resource, and its path.
template <fields::WireStruct T>
struct Created {
    T value;
    std::string location;
};

http::Response json_response(int status, std::string json);

namespace detail {

enum class ArgumentKind { path, query, body, service, caller, request };

// Makes one kind of parameter. Its faults are added to the list, so that all parameters report
// their faults together.
template <class Parameter>
struct Argument {
    static_assert(!sizeof(Parameter), "an endpoint cannot have a parameter of this type");
};

template <class T>
struct Argument<Path<T>> {
    static constexpr auto kind = ArgumentKind::path;
    static boost::json::object schema() { return fields::schema<T>(); }
    static Path<T> make(Call& call, Faults& faults)
    {
        return {fields::read_parameters<T>(call.path, faults)};
    }
};

template <class T>
struct Argument<Query<T>> {
    static constexpr auto kind = ArgumentKind::query;
    static boost::json::object schema() { return fields::schema<T>(); }
    static Query<T> make(Call& call, Faults& faults)
    {
        return {fields::read_parameters<T>(call.query, faults, call.unknown_parameters)};
    }
};

// A body may have rules about several fields, check(Faults&), or about the time, check(Faults&,
// TimePoint). They are checked together with the rules of single fields.
template <class T>
concept HasRules = requires(const T& body, Faults& faults) { body.check(faults); };
template <class T>
concept HasRulesOfTime =
    requires(const T& body, Faults& faults, TimePoint now) { body.check(faults, now); };

template <class T>
struct Argument<Body<T>> {
    static constexpr auto kind = ArgumentKind::body;
    static constexpr bool needs_clock = HasRulesOfTime<T>;
    static boost::json::object schema() { return fields::schema<T>(); }
    static Body<T> make(Call& call, Faults& faults)
    {
        Body<T> body{fields::read<T>(call.body, faults, call.unknown_fields)};
        if constexpr (HasRules<T>) body.check(faults);
        if constexpr (HasRulesOfTime<T>) body.check(faults, call.services.get<const Clock>().now());
        return body;
    }
};

template <class T>
struct Argument<UnreadBody<T>> {
    static constexpr auto kind = ArgumentKind::body;
    static constexpr bool takes_text = true;
    static boost::json::object schema() { return fields::schema<T>(); }
    static UnreadBody<T> make(Call& call, Faults& /*faults*/)
    {
        return {std::move(call.body), std::move(call.body_text), BodyShare(call)};
    }
};

template <class Service>
struct Argument<Service&> {
    static constexpr auto kind = ArgumentKind::service;
    static std::vector<ServiceKey> needs() { return {ServiceKey::of<Service>()}; }
    static Service& make(Call& call, Faults& /*faults*/) { return call.services.get<Service>(); }
};

template <>
struct Argument<SignedIn> {
    static constexpr auto kind = ArgumentKind::caller;
    static constexpr Access access{.scope = std::nullopt, .by_user = true};
    static SignedIn make(Call& call, Faults& /*faults*/) { return SignedIn(call.caller); }
};

template <>
struct Argument<TokenHolder> {
    static constexpr auto kind = ArgumentKind::caller;
    static constexpr Access access{.scope = std::nullopt, .by_user = false};
    static TokenHolder make(Call& call, Faults& /*faults*/) { return TokenHolder(call.caller); }
};

template <auth::Scope needed>
struct Argument<With<needed>> {
    static constexpr auto kind = ArgumentKind::caller;
    static constexpr Access access{.scope = needed, .by_user = needed != auth::Scope::admin};
    static With<needed> make(Call& call, Faults& /*faults*/) { return With<needed>(call.caller); }
};

template <>
struct Argument<Origin> {
    static constexpr auto kind = ArgumentKind::request;
    static Origin make(Call& call, Faults& /*faults*/)
    {
        return {call.client.to_string(), call.common_headers.request_id()};
    }
};

template <>
struct Argument<ClientAddress> {
    static constexpr auto kind = ArgumentKind::request;
    static ClientAddress make(Call& call, Faults& /*faults*/) { return {call.client}; }
};

template <>
struct Argument<const http::RequestHead&> {
    static constexpr auto kind = ArgumentKind::request;
    static const http::RequestHead& make(Call& call, Faults& /*faults*/)
    {
        return call.exchange.request();
    }
};

template <>
struct Argument<CommonHeaders&> {
    static constexpr auto kind = ArgumentKind::request;
    static CommonHeaders& make(Call& call, Faults& /*faults*/) { return call.common_headers; }
};

template <>
struct Argument<Stream> {
    static constexpr auto kind = ArgumentKind::request;
    static Stream make(Call& call, Faults& /*faults*/) { return Stream(call); }
};

template <>
struct Argument<ClientDisconnect> {
    static constexpr auto kind = ArgumentKind::request;
    static ClientDisconnect make(Call& call, Faults& /*faults*/) { return ClientDisconnect(call); }
};

// How the value of a result is sent.
//
// A specialisation whose response() also takes the call can use the request. `fields` names the
// header fields that it may add.
template <class Value>
struct ResponseTraits {
    static constexpr int status = 200;
    static boost::json::object schema() { return fields::schema<Value>(fields::Way::out); }
    static http::Response response(const Value& value)
    {
        return json_response(status, fields::write(value));
    }
};

template <class T>
struct ResponseTraits<Created<T>> {
    static constexpr int status = 201;
    static constexpr std::array fields{"Location"};
    static boost::json::object schema() { return fields::schema<T>(fields::Way::out); }
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
struct ReturnType<Result<T>> {
    static constexpr bool is_task = false;
    using Value = T;
};
template <class T>
struct ReturnType<Task<Result<T>>> {
    static constexpr bool is_task = true;
    using Value = T;
};

template <class Value>
Result<http::Response> to_response(Result<Value> result, const Call& call)
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
