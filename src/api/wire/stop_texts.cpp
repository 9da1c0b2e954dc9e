#include "api/wire/stop_texts.hpp"

#include "fields/read.hpp"
#include "fields/schema.hpp"

namespace parley::api {
namespace {

constexpr auto stop_length = fields::length(1, 64);
constexpr std::size_t max_stop_texts = 4;

}  // namespace

bool StopTexts::read(const boost::json::value& value, const fields::FieldPath& at)
{
    return read_at_least(0, value, at);
}

bool StopTexts::read_at_least(std::size_t least, const boost::json::value& value,
                              const fields::FieldPath& at)
{
    texts.clear();
    if (const auto* one = value.if_string()) {
        texts.emplace_back(*one);
        stop_length.check(texts.front(), at);
        return true;
    }
    if (!value.is_array()) {
        at.fault("wrong_type", "must be a text or a list of texts");
        return false;
    }
    if (!fields::detail::read_value(texts, value, at)) return false;
    fields::length(least, max_stop_texts).check(texts, at);
    fields::each(stop_length).check(texts, at);
    return true;
}

boost::json::object StopTexts::schema() { return schema_with(0); }

boost::json::object StopTexts::schema_with(std::size_t least)
{
    boost::json::object text{{"type", "string"}};
    stop_length.describe(text);
    boost::json::object list{{"type", "array"}, {"items", text}};
    if (least > 0) list["minItems"] = least;
    list["maxItems"] = max_stop_texts;
    boost::json::object nothing{{"type", "null"}};
    return {{"oneOf", {std::move(text), std::move(list), std::move(nothing)}},
            {"examples", {"END"}}};
}

boost::json::value StopTexts::to_json() const
{
    return boost::json::array(texts.begin(), texts.end());
}

}  // namespace parley::api
