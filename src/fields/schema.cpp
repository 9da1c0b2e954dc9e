#include "fields/schema.hpp"

namespace parley::fields::detail {

void allow_null(boost::json::object& schema)
{
    if (auto* type = schema.if_contains("type")) {
        if (type->is_string()) *type = boost::json::array{*type};
        type->as_array().emplace_back("null");
    }
    if (auto* choices = schema.if_contains("enum")) choices->as_array().emplace_back(nullptr);
}

}  // namespace parley::fields::detail
