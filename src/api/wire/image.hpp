// Images of messages in paths and exports.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <string>
#include <tuple>

namespace parley::api {

struct ImagePath {
    std::string sha256;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("sha256", &ImagePath::sha256,
                  "The SHA-256 of the image, in hexadecimal: `sha256` of a part of a message.",
                  example("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")));
    }
};

// A part of an image, as a line of an export.
struct ExportedImage {
    std::string object = "chat.image";
    std::string sha256;
    std::string media_type;
    std::int64_t offset = 0;
    std::int64_t size = 0;
    std::string data;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = ExportedImage;
        return std::tuple(
            field("object", &This::object, "Always `chat.image`.", one_of("chat.image")),
            field("sha256", &This::sha256, "The SHA-256 of the image, in hexadecimal."),
            field("media_type", &This::media_type, "The type of the image."),
            field("offset", &This::offset, "The bytes of the image before this line."),
            field("size", &This::size, "The bytes of the image."),
            field("data", &This::data, "The bytes of this line, in base64."));
    }
};

}  // namespace parley::api
