// Components of the OpenAPI document: named schemas, header fields, shared responses, and an
// example of each problem.
#pragma once

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace parley::reference {

class OpenApiComponents {
public:
    // The schema with all named schemas (fields::SchemaInfo) replaced by references. Throws
    // std::logic_error if two schemas have the same name.
    boost::json::value placed(const boost::json::object& schema);

    // The same for a request body. Defaults are described in text: client generators treat a field
    // with `default` as required.
    boost::json::value placed_request(const boost::json::object& schema);

    // A reference to a response header field. Throws std::logic_error if it has no description.
    boost::json::object field(const std::string& name);

    // A reference to a response. Throws std::logic_error if two responses have the same name.
    boost::json::object response(const std::string& name, boost::json::object about);

    // All components: those that were placed, and the fixed ones.
    boost::json::object all() &&;

private:
    void place(boost::json::value& schema);

    boost::json::object schemas_;
    boost::json::object fields_;
    boost::json::object responses_;
};

boost::json::object reference_to(std::string_view kind, std::string_view name);

}  // namespace parley::reference
