// Takes a long JSON text apart without reading all of it: the objects of a list, of one line each
// (NDJSON), or a single object. Only the object in hand is in memory.
//
// It finds where an object ends, and leaves the rest to a parser: braces that do not match are
// found there, or at the end of the text.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <istream>
#include <optional>
#include <string>

namespace parley::moving {

class JsonElements {
public:
    // The stream must outlive it. An object of more than `max_bytes` is refused.
    JsonElements(std::istream& in, std::size_t max_bytes) : in_(in), max_bytes_(max_bytes) {}

    // The text of the next object; nothing at the end. Fails with invalid_request if something else
    // follows, if the text ends inside of an object, or if it cannot be read; and with
    // body_too_large: then the next call goes on behind the object.
    Result<std::optional<std::string>> next();

private:
    std::optional<char> peek();

    std::istream& in_;
    const std::size_t max_bytes_;
    std::string buffer_ = {};
    std::size_t at_ = 0;
};

}  // namespace parley::moving
