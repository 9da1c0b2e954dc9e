// What travels of models, in the shape that OpenAI gave them.
#pragma once

#include "base/field.hpp"
#include "base/field_notes.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct ModelView {
    std::string id;
    std::string object = "model";
    std::int64_t created = 0;
    std::string owned_by = "parley";

    static constexpr wire::Noun noun{"Model", "A model that answers."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = ModelView;
        return std::tuple(
            field("id", &View::id, "What to send as `model`.", example("scripted")),
            field("object", &View::object, "Always `model`.", one_of("model")),
            field("created", &View::created, "When the server began to offer it, in Unix seconds."),
            field("owned_by", &View::owned_by, "Who offers it."));
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
                          field("data", &ModelList::data, "All models that this server offers."));
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
