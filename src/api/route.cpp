#include "api/route.hpp"

#include <algorithm>
#include <stdexcept>

namespace parley::api {

http::Response json_response(int status, std::string json)
{
    http::Response response{.status = status, .fields = {}, .body = std::move(json)};
    response.fields.add("Content-Type", "application/json");
    return response;
}

std::size_t Route::body_limit(std::size_t large) const
{
    constexpr std::size_t kib = 1024;
    if (takes_large_body) return large;
    return limit == limits::Class::auth ? 16 * kib : 1024 * kib;
}

namespace {

void let_others_stand_beside(boost::json::value& schema)
{
    if (auto* list = schema.if_array())
        for (auto& each : *list) let_others_stand_beside(each);
    auto* about = schema.if_object();
    if (!about) return;
    const auto* others = about->if_contains("additionalProperties");
    if (others && *others == false) about->erase("additionalProperties");
    for (auto& each : *about) let_others_stand_beside(each.value());
}

}  // namespace

namespace detail {

void apply(Lenient /*option*/, Route& route)
{
    route.unknown_fields = fields::UnknownFields::ignored;
    if (!route.request_schema) return;
    boost::json::value schema = std::move(*route.request_schema);
    let_others_stand_beside(schema);
    route.request_schema = std::move(schema.as_object());
}

void check_path_parameters(const Route& route)
{
    std::vector<std::string> in_path;
    for (std::size_t open_at = route.path.find('{'); open_at != route.path.npos;
         open_at = route.path.find('{', open_at + 1)) {
        const std::size_t close_at = route.path.find('}', open_at);
        if (close_at == route.path.npos) throw std::logic_error("malformed path: " + route.path);
        in_path.push_back(route.path.substr(open_at + 1, close_at - open_at - 1));
    }
    std::vector<std::string> in_endpoint;
    if (route.path_schema)
        for (const auto& [name, unused] : route.path_schema->at("properties").as_object())
            in_endpoint.emplace_back(name);

    std::ranges::sort(in_path);
    std::ranges::sort(in_endpoint);
    if (in_path != in_endpoint)
        throw std::logic_error("the endpoint does not take the parameters of its path: " +
                               route.method + " " + route.path);
}

}  // namespace detail

}  // namespace parley::api
