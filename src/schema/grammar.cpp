#include "base/json.hpp"
#include "schema/formats.hpp"
#include "schema/integer_grammar.hpp"
#include "schema/judge.hpp"
#include "schema/literal_grammar.hpp"
#include "schema/unroll.hpp"

#include <algorithm>
#include <map>

namespace parley::schema {
namespace {

// White space is not allowed: small models can get stuck in it. Escapes are those of compact(), so
// that the text is already compact.
constexpr std::string_view common_rules = R"(char ::= [^"\\\x00-\x1f] | "\\" ["\\nrt]
string ::= "\"" char* "\""
number ::= "-"? ( "0" | [1-9] [0-9]{0,14} ) ( "." [0-9]{1,15} )?
any-0 ::= string | number | "true" | "false" | "null"
)";

std::string free_object(const std::string& member)
{
    const std::string pair = R"(string ":" )" + member;
    return R"("{" ( )" + pair + R"( ( "," )" + pair + R"( )* )? "}")";
}

std::string free_array(const std::string& item)
{
    return R"("[" ( )" + item + R"( ( "," )" + item + R"( )* )? "]")";
}

std::string repeated(std::int64_t least, const std::optional<std::int64_t>& most)
{
    return '{' + std::to_string(least) + ',' + (most ? std::to_string(*most) : "") + '}';
}

class Writer {
public:
    explicit Writer(const Schema& schema) : schema_(schema) {}

    std::string write()
    {
        out_ = "root ::= " + name(schema_.root) + '\n';
        for (NodeIndex i = 0; i < schema_.nodes.size(); ++i) add(name(i), body(i));
        for (const auto& [rule, body] : strings_) add(rule, body);
        out_ += common_rules;
        for (std::size_t levels = 1; levels <= free_levels; ++levels) {
            const std::string below = any(levels - 1);
            add(any(levels), "any-0 | " + free_array(below) + " | " + free_object(below));
        }
        return std::move(out_);
    }

private:
    static std::string name(NodeIndex index) { return "n" + std::to_string(index); }
    static std::string any(std::size_t levels) { return "any-" + std::to_string(levels); }

    void add(const std::string& rule, const std::string& body)
    {
        out_ += rule + " ::= " + body + '\n';
    }

    std::string body(NodeIndex index)
    {
        const Node& node = schema_.nodes[index];
        switch (node.kind) {
            case Kind::any:
                return any(node.levels);
            case Kind::any_object:
                return free_object(any(node.levels));
            case Kind::null:
                return "\"null\"";
            case Kind::boolean:
                return R"("true" | "false")";
            case Kind::integer:
                return integers_between(node.minimum, node.maximum);
            case Kind::number:
                return "number";
            case Kind::string:
                return string_of(node);
            case Kind::array:
                return array_of(node);
            case Kind::object:
                return object_of(node, name(index));
            case Kind::literals:
                return literals_of(node);
            case Kind::any_of:
                return choices_of(node);
        }
        return "";
    }

    // Strings with the same limits share a rule: llama.cpp makes many rules of a repetition.
    std::string string_of(const Node& node)
    {
        if (node.format != Format::none)
            return R"("\"" )" + std::string(grammar_of(node.format)) + R"( "\"")";
        if (node.least == 0 && !node.most) return "string";
        if (node.most == 0) return R"("\"\"")";
        std::string rule = "string-" + std::to_string(node.least);
        if (node.most) rule += '-' + std::to_string(*node.most);
        strings_.emplace(rule, R"("\"" char)" + repeated(node.least, node.most) + R"( "\"")");
        return rule;
    }

    static std::string array_of(const Node& node)
    {
        if (node.most == 0) return "\"[]\"";
        const std::string item = node.items ? name(*node.items) : any(free_levels);
        const auto most = node.most ? std::optional(*node.most - 1) : std::nullopt;
        const std::int64_t least = std::max<std::int64_t>(node.least - 1, 0);
        std::string items = item;
        if (most != 0) items += R"( ( "," )" + item + " )" + repeated(least, most);
        return node.least == 0 ? R"("[" ( )" + items + R"( )? "]")" : R"("[" )" + items + R"( "]")";
    }

    // `NAME-i`: the properties from i on, after another one. Up to the first required property,
    // each may be the first of the object.
    std::string object_of(const Node& node, const std::string& rule)
    {
        const auto& properties = node.properties;
        const auto rest = [&](std::size_t i) {
            return i < properties.size() ? ' ' + rule + '-' + std::to_string(i) : std::string();
        };
        std::string begins;
        bool may_be_empty = true;
        for (std::size_t i = 0; i < properties.size(); ++i) {
            std::string key;
            json::append_quoted(key, properties[i].name);
            const std::string pair = quoted_literal(key + ':') + ' ' + name(properties[i].node);
            if (may_be_empty) begins += (begins.empty() ? "" : " | ") + pair + rest(i + 1);
            const std::string next = "\",\" " + pair;
            if (i > 0)
                add(rule + '-' + std::to_string(i),
                    (properties[i].required ? next : "( " + next + " )?") + rest(i + 1));
            if (properties[i].required) may_be_empty = false;
        }
        if (properties.empty()) return "\"{}\"";
        return R"("{" ( )" + begins + (may_be_empty ? " )? \"}\"" : " ) \"}\"");
    }

    static std::string literals_of(const Node& node)
    {
        std::vector<std::string> texts(node.literals.size());
        for (std::size_t i = 0; i < texts.size(); ++i) append_json(texts[i], node.literals[i]);
        return literals_grammar(std::move(texts));
    }

    static std::string choices_of(const Node& node)
    {
        std::string body;
        for (const NodeIndex branch : node.branches)
            body += (body.empty() ? "" : " | ") + name(branch);
        return body;
    }

    const Schema& schema_;
    std::map<std::string, std::string> strings_;
    std::string out_;
};

}  // namespace

std::string grammar_of(const Schema& schema)
{
    const auto finite = unrolled(schema);
    return finite ? Writer(*finite).write() : "";  // A checked schema has one.
}

}  // namespace parley::schema
