#include "api/router.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace parley::api {
namespace {

// The methods of RFC 9110 and PATCH.
constexpr std::array<std::string_view, 9> known_methods{
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"};

// GET's row also serves HEAD, the router itself serves OPTIONS; TRACE and CONNECT are refused.
constexpr std::array<std::string_view, 5> row_methods{"GET", "POST", "PUT", "PATCH", "DELETE"};

// "{code}" -> "code"; nothing for a literal segment.
std::optional<std::string> parameter_name(std::string_view segment)
{
    if (!segment.starts_with('{') || !segment.ends_with('}')) return std::nullopt;
    return std::string(segment.substr(1, segment.size() - 2));
}

std::vector<std::string> segments_of_template(const std::string& path)
{
    auto segments = path_segments(path, path.size());
    const bool readable = segments && path.starts_with('/') &&
                          path.find_first_of("%?#") == path.npos &&
                          std::ranges::none_of(path, [](char c) { return c <= ' ' || c > '~'; });
    if (!readable) throw std::logic_error("malformed path template: " + path);
    return std::move(*segments);
}

// The methods of a path in the order of known_methods: GET implies HEAD, and OPTIONS always works.
std::string allow_list(const std::vector<std::string_view>& methods)
{
    const auto has = [&](std::string_view method) {
        return std::ranges::find(methods, method) != methods.end();
    };
    std::string list;
    for (const std::string_view method : known_methods) {
        if (!has(method) && !(method == "HEAD" && has("GET")) && method != "OPTIONS") continue;
        if (!list.empty()) list += ", ";
        list += method;
    }
    return list;
}

// Segments that another program may resolve to another path, or cut off.
bool is_deceptive(const std::string& segment)
{
    return segment == "." || segment == ".." || segment.find('\0') != segment.npos;
}

Error nothing_here() { return {Errc::not_found, "There is nothing at this path."}; }

Router::Found refused(Error error, std::string_view allow = {})
{
    return {.row = {}, .parameters = {}, .allow = allow, .refusal = std::move(error)};
}

}  // namespace

Router::Router(const std::vector<Route>& table)
{
    std::vector<std::string_view> all_methods;
    for (std::size_t place = 0; place < table.size(); ++place) {
        add(table[place], place);
        all_methods.push_back(table[place].method);
    }
    allow_anywhere_ = allow_list(all_methods);
}

void Router::add(const Route& route, std::size_t place)
{
    const std::string what = route.method + " " + route.path;
    if (std::ranges::find(row_methods, route.method) == row_methods.end())
        throw std::logic_error("no row can be made for this method: " + what);

    const Segments segments = segments_of_template(route.path);
    std::vector<std::string> names;
    Node& node = node_for(segments, names);
    if (!node.rows.empty() && node.parameter_names != names)
        throw std::logic_error("the parameters have other names in another row: " + what);
    if (std::ranges::find(node.rows, route.method, &Row::method) != node.rows.end())
        throw std::logic_error("two rows for " + what);

    node.parameter_names = std::move(names);
    node.rows.push_back({route.method, place});
    std::vector<std::string_view> methods;
    methods.reserve(node.rows.size());
    for (const Row& row : node.rows) methods.push_back(row.method);
    node.allow = allow_list(methods);
    deepest_ = std::max(deepest_, segments.size());
}

// The node for the segments of a template; creates missing nodes.
Router::Node& Router::node_for(const Segments& segments, std::vector<std::string>& names)
{
    Node* node = &root_;
    for (const std::string& segment : segments) {
        if (auto name = parameter_name(segment)) {
            names.push_back(std::move(*name));
            if (!node->parameter) node->parameter = std::make_unique<Node>();
            node = node->parameter.get();
            continue;
        }
        auto child = std::ranges::find(node->written, segment, &Child::segment);
        if (child == node->written.end())
            child = node->written.insert(child, {segment, std::make_unique<Node>()});
        node = child->node.get();
    }
    return *node;
}

// The node at the end of the path, with the positions of its parameters. A parameter is never
// empty.
const Router::Node* Router::match(const Node& node, const Segments& segments, std::size_t at,
                                  std::vector<std::size_t>& parameters)
{
    if (at == segments.size()) return node.rows.empty() ? nullptr : &node;
    const auto written = std::ranges::find(node.written, segments[at], &Child::segment);
    if (written != node.written.end())
        if (const Node* end = match(*written->node, segments, at + 1, parameters)) return end;
    if (!node.parameter || segments[at].empty()) return nullptr;
    parameters.push_back(at);
    const Node* end = match(*node.parameter, segments, at + 1, parameters);
    if (!end) parameters.pop_back();
    return end;
}

Router::Found Router::find(std::string_view method, std::string_view path) const
{
    Found found = look_up(method, path);
    found.area = area_of(path);
    return found;
}

Router::Found Router::look_up(std::string_view method, std::string_view path) const
{
    if (std::ranges::find(known_methods, method) == known_methods.end()) {
        Found found = refused({Errc::not_implemented, "This method is not supported."});
        found.path_row = look_up("GET", path).path_row;
        return found;
    }
    if (path == "*" && method == "OPTIONS")
        return {.row = {}, .parameters = {}, .allow = allow_anywhere_, .refusal = {}};
    if (method == "CONNECT")  // Its target is a host, not a path.
        return refused({Errc::method_not_allowed, "This server is not a proxy."}, allow_anywhere_);

    if (!path.starts_with('/')) return refused(nothing_here());
    auto segments = path_segments(path, deepest_);
    if (!segments) return refused(segments.error());
    std::vector<std::size_t> parameters;
    const bool deceptive = std::ranges::any_of(*segments, is_deceptive);
    const Node* node = deceptive ? nullptr : match(root_, *segments, 0, parameters);
    if (!node) return refused(nothing_here());

    Found found;
    found.allow = node->allow;
    found.path_row = node->rows.front().place;
    if (method == "OPTIONS") return found;
    const std::string_view wanted = method == "HEAD" ? "GET" : method;
    const auto row = std::ranges::find(node->rows, wanted, &Row::method);
    if (row == node->rows.end()) {
        found.refusal = {Errc::method_not_allowed, "This path accepts: " + node->allow + "."};
        return found;
    }
    found.row = row->place;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        found.parameters.push_back(
            {node->parameter_names[i], std::move((*segments)[parameters[i]])});
    return found;
}

}  // namespace parley::api
