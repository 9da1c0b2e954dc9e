// Finds the row of the route table that answers a request: a tree of path segments, built once. If
// a literal segment and a {parameter} both match, the literal is tried first.
//
// Threads: immutable once built; any thread may ask.
#pragma once

#include "api/route.hpp"
#include "api/target.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::api {

class Router {
public:
    // Throws std::logic_error if a template is malformed or two rows match the same requests.
    explicit Router(const std::vector<Route>& table);

    // Without a row and without a refusal it is an OPTIONS request, answered with `allow`.
    struct Found {
        std::optional<std::size_t> row;  // Its place in the table.
        std::vector<fields::Parameter> parameters;
        std::string_view allow;  // The methods of the path, if it is known.
        std::optional<Error> refusal;
        std::optional<std::size_t> path_row = {};  // Any row of the path, if it is known.
        Area area = Area::outside;
    };

    // Refuses with not_implemented (an unknown method), invalid_request (a malformed escape),
    // not_found, or method_not_allowed.
    Found find(std::string_view method, std::string_view path) const;

private:
    struct Row {
        std::string method;
        std::size_t place;
    };
    struct Node;
    struct Child {
        std::string segment;
        std::unique_ptr<Node> node;
    };
    struct Node {
        std::vector<Child> written;
        std::unique_ptr<Node> parameter;
        std::vector<std::string> parameter_names;  // Named by the path that ends here.
        std::vector<Row> rows;
        std::string allow;
    };

    using Segments = std::vector<std::string>;

    void add(const Route& route, std::size_t place);
    Found look_up(std::string_view method, std::string_view path) const;
    Node& node_for(const Segments& segments, std::vector<std::string>& names);
    static const Node* match(const Node& node, const Segments& segments, std::size_t at,
                             std::vector<std::size_t>& parameters);

    Node root_;
    std::size_t deepest_ = 0;  // Segments of the longest template.
    std::string allow_anywhere_;
};

}  // namespace parley::api
