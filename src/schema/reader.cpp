#include "schema/reader.hpp"

#include "schema/judge.hpp"
#include "schema/limits.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <map>

namespace parley::schema {
namespace {

using boost::json::object;
using boost::json::value;

class Reader {
public:
    Schema read(const value& json, const fields::FieldPath& at)
    {
        schema_.root = add({});
        const auto* defs = json.is_object() ? json.as_object().if_contains("$defs") : nullptr;
        if (defs && !defs->is_object())
            at.member("$defs").fault(unsupported_schema, "must be an object");
        const object none;
        const object& definitions = defs && defs->is_object() ? defs->as_object() : none;
        for (const auto& member : definitions) defs_.emplace(member.key(), add({.referred = true}));
        fill(schema_.root, json, at, 1);
        const fields::FieldPath below = at.member("$defs");
        for (const auto& member : definitions)
            fill(defs_.find(view(member.key()))->second, member.value(),
                 below.member(view(member.key())), 1);
        return std::move(schema_);
    }

private:
    NodeIndex add(Node node)
    {
        schema_.nodes.push_back(std::move(node));
        return schema_.nodes.size() - 1;
    }
    void put(NodeIndex index, Node node)
    {
        node.referred = schema_.nodes[index].referred;
        schema_.nodes[index] = std::move(node);
    }

    void fill(NodeIndex index, const value& json, const fields::FieldPath& at, std::size_t level)
    {
        if (!json.is_object()) return at.fault(unsupported_schema, "must be an object");
        if (level > max_levels)
            return at.fault(unsupported_schema, "is nested deeper than 10 levels");
        const object& members = json.as_object();
        check_keywords(members, at, index == schema_.root);
        if (members.contains("$ref")) return refer(index, members, at);
        if (members.contains("anyOf")) return choose(index, members, at, level);
        const std::vector<Kind> kinds = kinds_of(members, at);
        std::vector<Node> typed;
        typed.reserve(kinds.size());
        for (const Kind kind : kinds) typed.push_back(typed_node(kind, members, at, level));
        if (members.contains("enum") || members.contains("const"))
            return put(index, literals(members, at, typed));
        if (typed.size() == 1) return put(index, std::move(typed.front()));
        if (typed.empty()) return;  // Any value.
        Node choice{.kind = Kind::any_of};
        for (Node& each : typed) choice.branches.push_back(add(std::move(each)));
        put(index, std::move(choice));
    }

    static void check_keywords(const object& members, const fields::FieldPath& at, bool is_root)
    {
        for (const auto& member : members) {
            const std::string_view name = view(member.key());
            if (!is_known(name) && !(is_root && name == "$defs"))
                at.member(name).fault(unsupported_keyword, "is not supported");
        }
    }

    // A choice or a reference must be the only keyword: others would apply at the same time.
    static bool stands_alone(std::string_view keyword, const object& members,
                             const fields::FieldPath& at)
    {
        bool alone = true;
        for (const auto& member : members) {
            const std::string_view name = view(member.key());
            if (name == keyword || name == "$defs" || is_note(name) || !is_known(name)) continue;
            at.member(name).fault(unsupported_keyword,
                                  "is not supported beside " + std::string(keyword));
            alone = false;
        }
        return alone;
    }

    void refer(NodeIndex index, const object& members, const fields::FieldPath& at)
    {
        if (!stands_alone("$ref", members, at)) return;
        constexpr std::string_view prefix = "#/$defs/";
        const value& target = members.at("$ref");
        const std::string_view text = target.is_string() ? view(target.as_string()) : "";
        const auto found = text.starts_with(prefix)
                               ? defs_.find(unescaped(text.substr(prefix.size())))
                               : defs_.end();
        if (found == defs_.end())
            return at.member("$ref").fault(unsupported_keyword, "must name a member of #/$defs");
        put(index, {.kind = Kind::any_of, .branches = {found->second}});
    }

    void choose(NodeIndex index, const object& members, const fields::FieldPath& at,
                std::size_t level)
    {
        if (!stands_alone("anyOf", members, at)) return;
        const fields::FieldPath spot = at.member("anyOf");
        const auto* choices = members.at("anyOf").if_array();
        if (!choices || choices->empty())
            return spot.fault(unsupported_schema, "must be a list of schemas");
        Node node{.kind = Kind::any_of};
        for (std::size_t i = 0; i < choices->size(); ++i) {
            const value& choice = (*choices)[i];
            // Duplicates would only double the work of choosing.
            if (i > 0 && choice == (*choices)[i - 1]) continue;
            node.branches.push_back(add({}));
            fill(node.branches.back(), choice, spot.item(i), level + 1);
        }
        put(index, std::move(node));
    }

    Node typed_node(Kind kind, const object& members, const fields::FieldPath& at,
                    std::size_t level)
    {
        Node node{.kind = kind};
        read_limits(node, members, at);
        if (kind == Kind::object) read_object(node, members, at, level);
        const auto* items = members.if_contains("items");
        if (kind == Kind::array && items) {
            node.items = add({});
            fill(*node.items, *items, at.member("items"), level + 1);
        }
        return node;
    }

    void read_object(Node& node, const object& members, const fields::FieldPath& at,
                     std::size_t level)
    {
        const auto* more = members.if_contains("additionalProperties");
        if (more && *more != value(false))
            at.member("additionalProperties").fault(unsupported_keyword, "must be false");
        if (const auto* found = members.if_contains("properties")) {
            const fields::FieldPath spot = at.member("properties");
            if (!found->is_object()) return spot.fault(unsupported_schema, "must be an object");
            for (const auto& member : found->as_object()) {
                if (++properties_ == max_properties + 1)
                    spot.fault(unsupported_schema, "there are more than 500 properties");
                if (properties_ > max_properties) return;
                const NodeIndex property = add({});
                node.properties.push_back({.name = member.key(), .node = property});
                fill(property, member.value(), spot.member(view(member.key())), level + 1);
            }
        }
        if (const auto* found = members.if_contains("required"))
            read_required(node, *found, at.member("required"));
    }

    static void read_required(Node& node, const value& names, const fields::FieldPath& at)
    {
        if (!names.is_array()) return at.fault(unsupported_schema, "must be a list of names");
        const auto& list = names.as_array();
        std::map<std::string_view, Property*> properties;
        for (Property& each : node.properties) properties.emplace(each.name, &each);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string_view name = list[i].is_string() ? view(list[i].as_string()) : "";
            const auto found = properties.find(name);
            if (!list[i].is_string())
                at.item(i).fault(unsupported_schema, "must be a name");
            else if (found == properties.end())
                at.item(i).fault(unsupported_schema, "is not among the properties");
            else
                found->second->required = true;
        }
    }

    Node literals(const object& members, const fields::FieldPath& at,
                  const std::vector<Node>& typed)
    {
        for (const std::string_view name : {"properties", "items", "required"})
            if (members.contains(name))
                at.member(name).fault(unsupported_keyword, "is not supported beside enum or const");
        Node node{.kind = Kind::literals};
        const auto* values = members.if_contains("enum");
        const auto* constant = members.if_contains("const");
        if (values && !values->is_array()) {
            at.member("enum").fault(unsupported_schema, "must be a list");
            return node;
        }
        const boost::json::array all = values ? values->as_array() : boost::json::array{*constant};
        enum_values_ += all.size();
        if (enum_values_ > max_enum_values) {
            at.member("enum").fault(unsupported_schema, "there are more than 1,000 values");
            return node;
        }
        for (const value& each : all) {
            if (constant && !same(each, *constant)) continue;
            if (fits_one(each, typed)) node.literals.push_back(each);
        }
        if (node.literals.empty()) at.fault(unsupported_schema, "has no valid value");
        return node;
    }

    static bool fits_one(const value& literal, const std::vector<Node>& typed)
    {
        if (typed.empty()) return true;
        Judge judge(typed);
        for (NodeIndex i = 0; i < typed.size(); ++i) {
            // Objects are compared as a whole; `properties` are not allowed beside them.
            const bool is_object = typed[i].kind == Kind::object;
            if (is_object ? literal.is_object() : judge.fits(literal, i)) return true;
        }
        return false;
    }

    Schema schema_;
    std::map<std::string, NodeIndex, std::less<>> defs_;
    std::size_t properties_ = 0;
    std::size_t enum_values_ = 0;
};

}  // namespace

Schema read_schema(const value& json, const fields::FieldPath& at)
{
    return Reader().read(json, at);
}

}  // namespace parley::schema
