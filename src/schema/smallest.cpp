#include "schema/smallest.hpp"

#include "base/json.hpp"
#include "schema/formats.hpp"
#include "schema/judge.hpp"

#include <algorithm>

namespace parley::schema {
namespace {

class Smallest {
public:
    explicit Smallest(const Schema& schema) : schema_(schema), writing_(schema.nodes.size()) {}

    // A value of at most so many levels. Nothing if there is no finite one.
    std::optional<std::string> of(NodeIndex index, std::size_t levels)
    {
        if (++steps_ > max_steps || bytes_ > max_smallest_bytes || writing_[index]) return {};
        const Node& node = schema_.nodes[index];
        if (node.referred) writing_[index] = true;
        auto written = write(node, levels);
        writing_[index] = false;
        if (written) bytes_ += written->size();
        return written;
    }

private:
    static constexpr std::size_t max_steps = 200'000;

    std::optional<std::string> write(const Node& node, std::size_t levels)
    {
        switch (node.kind) {
            case Kind::any:
            case Kind::null:
                return "null";
            case Kind::any_object:
                return levels > 0 ? std::optional<std::string>("{}") : std::nullopt;
            case Kind::boolean:
                return "false";
            case Kind::number:
                return "0";
            case Kind::integer:
                return std::to_string(std::min(std::max<std::int64_t>(0, node.minimum.value_or(0)),
                                               node.maximum.value_or(INT64_MAX)));
            case Kind::string:
                return '"' + std::string(static_cast<std::size_t>(node.least), 'x') +
                       std::string(smallest_of(node.format)) + '"';
            case Kind::array:
                return write_array(node, levels);
            case Kind::object:
                return write_object(node, levels);
            case Kind::literals:
                return write_literal(node, levels);
            case Kind::any_of:
                for (const NodeIndex branch : node.branches)
                    if (auto written = of(branch, levels)) return written;
                return {};
        }
        return {};
    }

    static std::optional<std::string> write_literal(const Node& node, std::size_t levels)
    {
        for (const auto& each : node.literals) {
            if (depth_of(each) > levels) continue;
            std::string text;
            append_json(text, each);
            return text;
        }
        return {};
    }

    std::optional<std::string> write_array(const Node& node, std::size_t levels)
    {
        if (levels == 0) return {};
        if (node.least == 0) return "[]";
        const auto item = node.items ? of(*node.items, levels - 1) : "null";
        if (!item) return {};
        const auto count = static_cast<std::size_t>(node.least);
        if (item->size() * count > max_smallest_bytes) return {};
        std::string out;
        for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? '[' : ',') + *item;
        return out + ']';
    }

    std::optional<std::string> write_object(const Node& node, std::size_t levels)
    {
        if (levels == 0) return {};
        std::string out = "{";
        for (const Property& property : node.properties) {
            if (!property.required) continue;
            const auto member = of(property.node, levels - 1);
            if (!member) return {};
            if (out.size() > 1) out += ',';
            json::append_quoted(out, property.name);
            out += ':' + *member;
        }
        return out + '}';
    }

    const Schema& schema_;
    std::vector<bool> writing_;
    std::size_t steps_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace

std::optional<std::string> smallest_if_any(const Schema& schema)
{
    return Smallest(schema).of(schema.root, max_answer_depth);
}

std::string smallest_of(const Schema& schema)
{
    return smallest_if_any(schema).value_or("null");  // A checked schema has one.
}

}  // namespace parley::schema
