// What travels of models, in the shape that OpenAI gave them.
#pragma once

#include "base/field.hpp"
#include "base/field_notes.hpp"

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

    static constexpr wire::Noun noun{
        "ModelCapabilities",
        "What may be asked of a model beside text. Requests for a model of another server are "
        "passed on; that server refuses what the model cannot do."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = ModelCapabilities;
        return std::tuple(
            field("json_schema", &View::json_schema, "Answers that fit a JSON Schema."),
            field("tools", &View::tools, "Calls of tools. If false, offered tools are ignored."),
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

    static constexpr wire::Noun noun{"Model", "A model that answers."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = ModelView;
        return std::tuple(
            field("id", &View::id, "What to send as `model`.", example("scripted")),
            field("object", &View::object, "Always `model`.", one_of("model")),
            field("created", &View::created, "When the server began to offer it, in Unix seconds."),
            field("owned_by", &View::owned_by, "Who offers it."),
            field("context_window", &View::context_window,
                  "Tokens that a conversation and its answer may have together.", example(8192)),
            field("capabilities", &View::capabilities, "What may be asked of it beside text."));
    }
};

struct ModelList {
    std::string object = "list";
    std::vector<ModelView> data;

    static constexpr wire::Noun noun{"ModelList", "The models of this server."};
    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(field("object", &ModelList::object, "Always `list`.", one_of("list")),
                          field("data", &ModelList::data,
                                "The models that this server offers, the default one first."));
    }
};

struct ModelPath {
    std::string model;

    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(
            field("model", &ModelPath::model, "The id of a model.", example("scripted")));
    }
};

}  // namespace parley::api
