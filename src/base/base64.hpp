// Base64 with padding (RFC 4648, section 4).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parley {

// Takes the same time for all bytes, so that it can be used for secrets.
std::string base64(std::span<const unsigned char> bytes);

// For large content: not for secrets, because its time depends on the bytes.
void append_base64(std::string& out, std::string_view bytes);

// Nothing if it is not the only valid text for some bytes: each has exactly one.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace parley
