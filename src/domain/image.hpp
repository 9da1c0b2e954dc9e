// Images in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley {

// An image of a message. Its bytes are stored once for each owner.
struct ImageRef {
    std::size_t after = 0;        // The number of texts of the message before it.
    std::string sha256 = {};      // The hash of its bytes, in hexadecimal.
    std::string media_type = {};  // Set by the store.

    bool operator==(const ImageRef&) const = default;
};

inline constexpr std::string_view images_path = "/v1/api/chat/images/";

// The address of a stored image, for its owner.
inline std::string path_of_image(std::string_view sha256)
{
    return std::string(images_path).append(sha256);
}

// The hash in such an address; empty if it is another one.
inline std::string_view image_in_path(std::string_view path)
{
    constexpr std::size_t digits = 64;
    if (!path.starts_with(images_path)) return {};
    path.remove_prefix(images_path.size());
    const bool is_hash =
        path.size() == digits && path.find_first_not_of("0123456789abcdef") == path.npos;
    return is_hash ? path : std::string_view();
}

}  // namespace parley
