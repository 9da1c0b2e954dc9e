// Models in OpenAI's shape.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct ModelCapabilities {
    bool json_schema = false;
    bool tools = false;
    bool vision = false;
    bool embeddings = false;

    static constexpr fields::SchemaInfo schema_info{
        "ModelCapabilities",
        "Features of a model beside text. Requests for an upstream model are passed on; the "
        "upstream refuses what its model does not support."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = ModelCapabilities;
        return std::tuple(
            field("json_schema", &View::json_schema, "Answers that fit a JSON Schema."),
            field("tools", &View::tools,
                  "Calls tools by its own choice. If false, it calls one only if `tool_choice` "
                  "demands it."),
            field("vision", &View::vision, "Images in messages."),
            field("embeddings", &View::embeddings, "Embeddings of texts."));
    }
};

struct ModelView {
    std::string id;
    std::string object = "model";
    std::int64_t created = 0;
    std::string owned_by = "parley";
    std::int64_t context_window = 0;
    ModelCapabilities capabilities;

    static constexpr fields::SchemaInfo schema_info{"Model", "A model that answers."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = ModelView;
        return std::tuple(
            field("id", &View::id, "The value for `model`.", example("scripted")),
            field("object", &View::object, "Always `model`.", one_of("model")),
            field("created", &View::created, "When the server began to offer it, in Unix seconds."),
            field("owned_by", &View::owned_by, "The owner."),
            field("context_window", &View::context_window,
                  "Context window: maximum tokens of a conversation and its answer together.",
                  example(8192)),
            field("capabilities", &View::capabilities, "Features beside text."));
    }
};

struct ModelList {
    std::string object = "list";
    std::vector<ModelView> data;

    static constexpr fields::SchemaInfo schema_info{"ModelList", "The models of this server."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("object", &ModelList::object, "Always `list`.", one_of("list")),
                          field("data", &ModelList::data,
                                "The models that this server offers, the default one first."));
    }
};

struct ModelPath {
    std::string model;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("model", &ModelPath::model, "The id of a model.", example("scripted")));
    }
};

}  // namespace parley::api
