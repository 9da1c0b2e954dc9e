// Fuzzes the parsers of what a provider sends: ID tokens, keys and metadata. Nothing that is not
// signed may pass, and nothing may crash.
#include "oidc/base64url.hpp"
#include "oidc/id_token.hpp"
#include "oidc/keys.hpp"
#include "oidc/metadata.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace parley::oidc {
namespace {

// A token of lines, each of which is a part of it: the fuzzer does not find base64 by itself.
std::string token_of(std::string_view lines)
{
    std::string token;
    for (std::size_t begin = 0; begin <= lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        token += (begin == 0 ? "" : ".") + base64url(lines.substr(begin, end - begin));
        begin = end + 1;
    }
    return token;
}

}  // namespace
}  // namespace parley::oidc

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace parley;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    if (const auto keys = oidc::read_keys(text))
        for (const oidc::Key& key : *keys)
            if (oidc::verifies(key, "text", "signature")) std::abort();
    static_cast<void>(oidc::read_metadata(text, "https://id.example.org"));
    const bool has_lines = text.find('\n') != text.npos;
    const auto token = oidc::read_id_token(has_lines ? oidc::token_of(text) : std::string(text));
    if (!token) return 0;
    if (oidc::check_signature(*token, {})) std::abort();
    const oidc::Expected expected{.issuer = "https://id.example.org",
                                  .client_id = "parley",
                                  .nonce = "n",
                                  .now = TimePoint(std::chrono::seconds(1'800'000'000))};
    static_cast<void>(oidc::check_claims(token->claims, expected));
    return 0;
}
