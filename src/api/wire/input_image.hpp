// An image in a request, as the client sent it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace parley::api {

struct InputImage {
    std::size_t at = 0;  // The amount of text before it: the number of texts in a message of the
                         // chat, or the number of bytes in OpenAI's shapes.
    std::shared_ptr<const std::string> url = {};
    std::string where = {};  // Its place in the request.
};

}  // namespace parley::api
