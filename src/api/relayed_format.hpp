// Checks answers of another server that are passed on: if the request asked for JSON, a complete
// answer must match.
//
// Threads: the loop of the request.
#pragma once

#include "base/error.hpp"
#include "schema/schema.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace parley::api {

class RelayedFormat {
public:
    // Takes the format of a request in OpenAI's shape. If its schema is beyond our subset, only the
    // model's server checks it.
    explicit RelayedFormat(const boost::json::value& request);

    // A complete response. Fails with invalid_output.
    Result<> check(std::string_view body) const;

    // The next complete events of a stream. Fails with invalid_output.
    Result<> check_events(std::string_view events);

private:
    Result<> add(std::string_view data);
    Result<> add(const boost::json::value& choice);
    Result<> end(std::int64_t choice);
    std::string take_text(std::int64_t choice);
    Result<> check_choice(std::string_view text) const;
    Result<> check_text(std::string_view text) const;

    schema::SchemaRef format_;                  // Null: nothing to check.
    std::map<std::int64_t, std::string> text_;  // By choice, until it has ended.
    std::size_t held_ = 0;                      // The size of all these texts.
    std::set<std::int64_t> others_;             // Choices that are refusals or call tools.
};

}  // namespace parley::api
