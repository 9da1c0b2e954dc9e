// GET /v1/models: the models that this server offers.
#include "engine/models.hpp"

#include "api/api.hpp"
#include "api/wire/model.hpp"

namespace parley::api {
namespace {

using ChatReader = With<auth::Scope::chat_read>;

ModelView view(const engine::Models& models, std::string name, const engine::Engine& engine)
{
    const auto since = models.offered_since().time_since_epoch();
    const engine::Capabilities can = engine.capabilities();
    return {.id = std::move(name),
            .created = std::chrono::duration_cast<std::chrono::seconds>(since).count(),
            .context_window = engine.context(),
            .capabilities = {.json_schema = can.json_schema,
                             .tools = can.tools,
                             .vision = can.vision,
                             .embeddings = can.embeddings}};
}

Result<ModelList> list_models(const engine::Models& models, ChatReader /*caller*/)
{
    ModelList list;
    for (const std::string& name : models.listed())
        list.data.push_back(view(models, name, *models.find(name)));
    return list;
}

Result<ModelView> get_model(const engine::Models& models, ChatReader /*caller*/,
                            Path<ModelPath> path)
{
    const engine::Engine* engine = models.find(path.model);
    if (!engine)
        return Error{Errc::unknown_model,
                     "There is no model \"" + path.model + "\" on this server."};
    return view(models, std::move(path.model), *engine);
}

}  // namespace

std::vector<Route> model_routes()
{
    return {route<list_models>("GET", "/v1/models", "listModels", "List the models", lenient,
                               openai_errors),
            route<get_model>("GET", "/v1/models/{model}", "getModel", "Get one model", lenient,
                             openai_errors)};
}

}  // namespace parley::api
