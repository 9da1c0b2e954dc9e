#include "reference/openapi.hpp"

#include "base/ascii.hpp"
#include "reference/openapi_components.hpp"
#include "reference/openapi_operation.hpp"
#include "reference/routes.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace parley::reference {

using namespace api;
namespace {

using boost::json::array;
using boost::json::object;

constexpr std::string_view introduction =
    R"(Ask a language model, keep the conversation, follow the answer as it is written.

Every request under `/v1` carries a token: `Authorization: Bearer plp_…`. A request body is JSON; an
unknown field is refused with 422, so that a typing error is noticed. Responses may get new fields,
events and values: clients ignore those that they do not know. `X-Request-Id` of a response names
the request in the server's log.

Errors are problems (RFC 9457): programs decide by `code`, people read `detail`, and `type` leads to
a page with causes and fixes. `HEAD` works wherever `GET` does.

The [guides](docs/guides) lead from the first call to running a server in production.)";

object contact_of(std::string_view contact)
{
    if (contact.starts_with("http://") || contact.starts_with("https://"))
        return {{"name", "The operator of this server"}, {"url", contact}};
    if (contact.starts_with("mailto:")) contact.remove_prefix(7);
    if (contact.find('@') != contact.npos)
        return {{"name", "The operator of this server"}, {"email", contact}};
    return {{"name", contact}};
}

object info_of(const OpenApiInfo& info)
{
    object about{{"title", "Parley: Chat and Automation"},
                 {"version", info.version},
                 {"summary", "A self-hosted AI chat and automation service."},
                 {"description", introduction},
                 {"license", object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}}};
    about["contact"] =
        contact_of(info.contact.empty() ? "The operator of this server" : info.contact);
    return about;
}

array tags_of(const std::vector<Route>& routes)
{
    array tags;
    for (const RouteGroup& group : route_groups()) {
        const auto is_in = [&](const Route& route) { return route.route_docs.group == group.name; };
        if (std::ranges::any_of(routes, is_in))
            tags.push_back(object{{"name", group.name}, {"description", group.introduction}});
    }
    return tags;
}

// Linters report examples that no response refers to. Some problems occur only on OpenAI's routes,
// which have another format.
void drop_unused_examples(object& components, const std::string& paths)
{
    object used;
    for (auto& [code, example] : components.at("examples").as_object())
        if (paths.find("#/components/examples/" + std::string(code) + '"') != paths.npos)
            used[code] = std::move(example);
    components["examples"] = std::move(used);
}

}  // namespace

object openapi(const std::vector<Route>& routes, const OpenApiInfo& info)
{
    OpenApiComponents components;
    object paths;
    for (const Route& route : routes) {
        auto& path = paths[route.path];
        if (!path.is_object()) path = object{};
        path.as_object()[ascii::lower(route.method)] = openapi_operation(route, components);
    }
    object all = std::move(components).all();
    drop_unused_examples(all, serialize(paths) + serialize(all.at("responses")));
    return {{"openapi", "3.1.0"},
            {"info", info_of(info)},
            {"servers",
             array{object{{"url", info.public_url.empty() ? std::string("/") : info.public_url},
                          {"description", "This server"}}}},
            {"tags", tags_of(routes)},
            {"paths", std::move(paths)},
            {"components", std::move(all)}};
}

}  // namespace parley::reference
