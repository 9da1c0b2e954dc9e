// What the operations of the OpenAPI document refer to: schemas that have a name, header fields,
// responses that many operations share, and an example of each problem.
#pragma once

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace parley::reference {

class OpenApiComponents {
public:
    // The schema with all that has a name (fields::SchemaInfo) taken out, to be referred to. Throws
    // std::logic_error where two schemas have one name.
    boost::json::value placed(const boost::json::object& schema);

    // The same of a request body. Defaults are told in words: generators of clients take a field
    // that has `default` for one that must be sent.
    boost::json::value placed_request(const boost::json::object& schema);

    // A reference to a header field of answers. Throws std::logic_error for one that nobody
    // described.
    boost::json::object field(const std::string& name);

    // A reference to a response. Throws std::logic_error where two responses have one name.
    boost::json::object response(const std::string& name, boost::json::object about);

    // All that was placed, and what is always there.
    boost::json::object all() &&;

private:
    void place(boost::json::value& schema);

    boost::json::object schemas_;
    boost::json::object fields_;
    boost::json::object responses_;
};

boost::json::object reference_to(std::string_view kind, std::string_view name);

}  // namespace parley::reference
