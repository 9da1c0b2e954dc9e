// The body of a PATCH that takes any fields of an object: each given field replaces the object's
// field as a whole. Nothing is checked before both were put together. Null counts as absent, unless
// the field may be null.
#pragma once

#include "api/endpoint.hpp"

namespace parley::api {

template <fields::WireStruct T>
struct Patch {
    boost::json::object given;
};

namespace detail {

template <class T>
struct Argument<Patch<T>> {
    static constexpr auto kind = ArgumentKind::body;
    static boost::json::object schema()
    {
        auto schema = fields::schema<T>();
        schema.erase("required");
        for (auto& property : schema["properties"].as_object())
            property.value().as_object().erase("default");
        schema["title"] = std::string(schema["title"].as_string()) + "Patch";
        return schema;
    }
    static Patch<T> make(Call& call, Faults& faults)
    {
        if (!call.body.is_object()) {
            faults.push_back({"#", "wrong_type", "must be an object"});
            return {};
        }
        Patch<T> patch{std::move(call.body.as_object())};
        fields::detail::for_each_field<T>([&]<class Struct, class Type, class... Rules>(
                                              const fields::Field<Struct, Type, Rules...>& field) {
            if (fields::detail::Inner<Type>::may_be_null) return;
            const auto* given = patch.given.if_contains(field.name);
            if (given && given->is_null()) patch.given.erase(field.name);
        });
        return patch;
    }
};

}  // namespace detail

}  // namespace parley::api
