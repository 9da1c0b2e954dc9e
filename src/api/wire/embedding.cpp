#include "api/wire/embedding.hpp"

#include "fields/rules.hpp"

#include <boost/json/array.hpp>

namespace parley::api {
namespace {

constexpr fields::Length input_length = fields::length(1, max_embedding_inputs);

}  // namespace

void EmbeddingInput::add(const boost::json::value& value, const fields::FieldPath& at)
{
    const auto* text = value.if_string();
    if (!text) {
        const bool is_token = value.is_number() || value.is_array();
        at.fault(is_token ? "unsupported_parameter" : "wrong_type",
                 is_token ? "must be a text: token numbers differ between models, so they are not "
                            "supported (LangChain: set check_embedding_ctx_length=False)"
                          : "must be a text");
        return;
    }
    if (text->empty()) at.fault("too_short", "must not be empty");
    texts.emplace_back(*text);
}

bool EmbeddingInput::read(const boost::json::value& value, const fields::FieldPath& at)
{
    texts.clear();
    const auto* list = value.if_array();
    is_list = list != nullptr;
    if (!list) {
        if (!value.is_string()) {
            at.fault("wrong_type", "must be a text or a list of texts");
            return false;
        }
        add(value, at);
        return true;
    }
    fields::detail::check_count(list->size(), input_length.min, input_length.max, "item", at);
    if (list->size() > input_length.max) return true;
    texts.reserve(list->size());
    for (std::size_t i = 0; i < list->size() && !at.enough(); ++i) {
        add((*list)[i], at.item(i));
        // A list of tokens has one fault, not one for each token.
        if ((*list)[i].is_number()) break;
    }
    return true;
}

boost::json::object EmbeddingInput::schema()
{
    boost::json::object text{{"type", "string"}, {"minLength", 1}};
    boost::json::object list{{"type", "array"}, {"items", text}};
    input_length.describe(list);
    return {{"oneOf", {std::move(text), std::move(list)}},
            {"examples", {"How do I reset my password?"}}};
}

boost::json::value EmbeddingInput::to_json() const
{
    if (!is_list) return boost::json::string(texts.at(0));
    return boost::json::array(texts.begin(), texts.end());
}

bool EmbeddingVector::read(const boost::json::value& value, const fields::FieldPath& /*at*/)
{
    value_ = value;
    return true;
}

boost::json::object EmbeddingVector::schema()
{
    return {{"oneOf",
             {{{"type", "array"}, {"items", {{"type", "number"}}}},
              {{"type", "string"}, {"contentEncoding", "base64"}}}},
            {"examples", {{0.6, -0.8}}}};
}

}  // namespace parley::api
