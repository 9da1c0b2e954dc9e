// POST /v1/embeddings in OpenAI's shape.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"
#include "fields/special.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

inline constexpr std::size_t max_embedding_inputs = 2048;

enum class EmbeddingFormat { floats, base64 };

constexpr auto names_of(EmbeddingFormat)
{
    return std::array{fields::Named{EmbeddingFormat::floats, "float"},
                      fields::Named{EmbeddingFormat::base64, "base64"}};
}

// A text, or a list of texts.
class EmbeddingInput {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const;

    std::vector<std::string> texts;
    bool is_list = false;

private:
    void add(const boost::json::value& value, const fields::FieldPath& at);
};

// The field that selects the model.
struct EmbeddingRoute {
    std::optional<std::string> model;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("model", &EmbeddingRoute::model,
                                "An embedding model. Absent: the server's default model.",
                                length(1, 128), example("all-minilm-l6-v2")));
    }
};

struct EmbeddingBody : EmbeddingRoute {
    EmbeddingInput input;
    std::optional<EmbeddingFormat> encoding_format;
    std::optional<std::int64_t> dimensions;

    static constexpr fields::SchemaInfo schema_info{"NewEmbeddings", "A request to embed texts."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = EmbeddingBody;
        return std::tuple_cat(
            EmbeddingRoute::fields(),
            std::tuple(
                field("input", &This::input,
                      "A text, or up to 2048 texts. None may be empty or have more tokens than the "
                      "`context_window` of the model."),
                field("encoding_format", &This::encoding_format,
                      "The form of the vectors: a list of numbers, or little-endian 32-bit floats "
                      "in base64. Default: `float`.",
                      example("float")),
                field("dimensions", &This::dimensions,
                      "Shortens each vector to its first numbers, and scales it to the length 1 "
                      "again. Default: all.",
                      range(1, 65'536), example(256))));
    }
};

// A list of numbers, or a text.
class EmbeddingVector {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const { return value_; }

private:
    boost::json::value value_;
};

struct EmbeddingView {
    std::string object = "embedding";
    std::int64_t index = 0;
    EmbeddingVector embedding;

    static constexpr fields::SchemaInfo schema_info{"Embedding", "The vector of a text."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = EmbeddingView;
        return std::tuple(
            field("object", &View::object, "Always `embedding`.", one_of("embedding")),
            field("index", &View::index, "The position of its text in `input`.", example(0)),
            field("embedding", &View::embedding,
                  "The vector, of the length 1: the similarity of two texts is the scalar product "
                  "of their vectors."));
    }
};

struct EmbeddingUsage {
    std::int64_t prompt_tokens = 0;
    std::int64_t total_tokens = 0;

    static constexpr fields::SchemaInfo schema_info{"EmbeddingUsage", "Tokens of the texts."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = EmbeddingUsage;
        return std::tuple(
            field("prompt_tokens", &This::prompt_tokens, "Tokens of all texts.", example(8)),
            field("total_tokens", &This::total_tokens, "The same.", example(8)));
    }
};

struct EmbeddingList {
    std::string object = "list";
    std::vector<EmbeddingView> data;
    std::string model;
    EmbeddingUsage usage;

    static constexpr fields::SchemaInfo schema_info{"EmbeddingList", "The vectors of texts."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = EmbeddingList;
        return std::tuple(
            field("object", &This::object, "Always `list`.", one_of("list")),
            field("data", &This::data, "One for each text, in the order of the texts."),
            field("model", &This::model, "The model.", example("all-minilm-l6-v2")),
            field("usage", &This::usage, "Tokens of the texts."));
    }
};

}  // namespace parley::api
