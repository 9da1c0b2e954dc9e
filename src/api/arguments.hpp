// How the parameters of an endpoint are made from a request. See route.hpp for what an endpoint is.
#pragma once

#include "api/call.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "fields/read.hpp"
#include "fields/schema.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <utility>
#include <vector>

namespace parley::api {

template <fields::WireStruct T>
struct Path : T {};
template <fields::WireStruct T>
struct Query : T {};
template <fields::WireStruct T>
struct Body : T {};

// A body with rules that a service checks, when the endpoint passes it on. If the body is refused
// before, the service adds the faults that it finds (add_faults_of), so that all are reported at
// once. A body without faults is not checked here: a repeated request may get what it has made,
// even if it would be refused by now.
template <fields::WireStruct T, class Service>
struct CheckedBody : T {};

// A body with rules that the endpoint checks, because they need the store. It adds the faults that
// it finds to those of the fields (fields/add_fault.hpp), and reports all of them at once.
template <fields::WireStruct T>
struct BodyWithFaults : T {
    Faults faults;
};

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

// An object whose fields are the client's own.
struct FreeBody {
    boost::json::object fields;
};

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
T read_and_check(const Call& call, Faults& faults)
{
    T body = fields::read<T>(call.body, faults, call.unknown_fields);
    if constexpr (HasRules<T>) body.check(faults);
    if constexpr (HasRulesOfTime<T>) body.check(faults, call.services.get<const Clock>().now());
    return body;
}

template <class T>
struct Argument<Body<T>> {
    static constexpr auto kind = ArgumentKind::body;
    static constexpr bool needs_clock = HasRulesOfTime<T>;
    static boost::json::object schema() { return fields::schema<T>(); }
    static Body<T> make(Call& call, Faults& faults) { return {read_and_check<T>(call, faults)}; }
};

template <class T>
struct Argument<BodyWithFaults<T>> {
    static constexpr auto kind = ArgumentKind::body;
    static constexpr bool needs_clock = HasRulesOfTime<T>;
    static boost::json::object schema() { return fields::schema<T>(); }
    static BodyWithFaults<T> make(Call& call, Faults& faults)
    {
        // After a fault of the path or the query the endpoint is not called.
        Faults found = std::exchange(faults, {});
        const bool is_refused = !found.empty();
        T body = read_and_check<T>(call, found);
        if (is_refused) faults = std::exchange(found, {});
        return {std::move(body), std::move(found)};
    }
};

template <class T, class Service>
struct Argument<CheckedBody<T, Service>> {
    static constexpr auto kind = ArgumentKind::body;
    static boost::json::object schema() { return fields::schema<T>(); }
    static std::vector<ServiceKey> needs() { return {ServiceKey::of<const Service>()}; }
    static CheckedBody<T, Service> make(Call& call, Faults& faults)
    {
        CheckedBody<T, Service> body{fields::read<T>(call.body, faults, call.unknown_fields)};
        const T& fields = body;
        if (!faults.empty()) call.services.get<const Service>().add_faults_of(fields, faults);
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

template <>
struct Argument<FreeBody> {
    static constexpr auto kind = ArgumentKind::body;
    static boost::json::object schema()
    {
        return {{"type", "object"},
                {"description", "Any fields."},
                {"additionalProperties", true},
                {"examples", {{{"issue", {{"number", 7}, {"title", "It rains in"}}}}}}};
    }
    static FreeBody make(Call& call, Faults& faults)
    {
        if (auto* object = call.body.if_object()) return {std::move(*object)};
        faults.push_back({"#", "wrong_type", "must be an object"});
        return {};
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
struct Argument<HookTokenHolder> {
    static constexpr auto kind = ArgumentKind::caller;
    static constexpr Access access{
        .scope = std::nullopt, .by_user = true, .credential = Credential::hook_token};
    static HookTokenHolder make(Call& call, Faults& /*faults*/)
    {
        return HookTokenHolder(call.caller);
    }
};

template <>
struct Argument<HookSigner> {
    static constexpr auto kind = ArgumentKind::caller;
    static constexpr Access access{
        .scope = std::nullopt, .by_user = true, .credential = Credential::hook_signature};
    static HookSigner make(Call& call, Faults& /*faults*/) { return HookSigner(call.caller); }
};

template <>
struct Argument<Origin> {
    static constexpr auto kind = ArgumentKind::request;
    static Origin make(Call& call, Faults& /*faults*/)
    {
        return {call.client.to_string(), call.common_headers.request_id(),
                auth::callers_token(call.caller)};
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

}  // namespace detail

}  // namespace parley::api
