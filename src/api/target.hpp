// Reads path and query of a URL: the segments of the path and the parameters of the query,
// percent-decoded. Nothing is normalised: "/a/../b" has three segments, and an encoded slash is
// part of its segment, so no spelling that a proxy reads differently can reach a row.
#pragma once

#include "base/error.hpp"
#include "fields/read.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::api {

inline constexpr std::size_t max_query_parameters = 100;

// The meaning of a plus sign: in a path a plus sign, in a query a space.
enum class Plus { itself, space };

// Nothing if an escape is malformed.
std::optional<std::string> percent_decode(std::string_view text, Plus plus);

// Escapes all but the unreserved characters of RFC 3986, so that the text can stand in a path
// segment or in a query.
std::string percent_encode(std::string_view text);

// The decoded segments of a path that begins with a slash. A path of more than `most` segments is
// not read to its end: the result then has most + 1 of them. Fails with invalid_request if an
// escape is malformed or the decoded text is not UTF-8.
Result<std::vector<std::string>> path_segments(std::string_view path, std::size_t most);

// The part of the server that a path belongs to: outside /v1, under /v1/api, or elsewhere under /v1
// (OpenAI-compatible). Decided by the decoded segments, as in the router, so that no other spelling
// of a path avoids a rule.
enum class Area { outside, api, openai };
Area area_of(std::string_view path);

// The decoded parameters of a query, in their order. Fails with invalid_request as above, and if
// there are more than max_query_parameters.
Result<std::vector<fields::Parameter>> query_parameters(std::string_view query);

}  // namespace parley::api
