#include "auth/recovery_codes.hpp"

#include "base/ascii.hpp"
#include "base/base32.hpp"
#include "base/random.hpp"
#include "base/sha256.hpp"

#include <span>

namespace parley::auth {
namespace {

constexpr std::size_t code_bytes = 15;
constexpr std::size_t group = 4;

Secret new_recovery_code()
{
    std::string bytes(code_bytes, '\0');
    random_bytes(std::as_writable_bytes(std::span(bytes)));
    std::string text;
    for (const char letter : normal_code(base32(bytes))) {
        if (text.size() % (group + 1) == group) text += '-';
        text += letter;
    }
    return Secret::taken_from(text);
}

}  // namespace

std::vector<Secret> new_recovery_codes()
{
    std::vector<Secret> codes;
    codes.reserve(recovery_code_count);
    for (std::size_t i = 0; i < recovery_code_count; ++i) codes.push_back(new_recovery_code());
    return codes;
}

store::CodeHash recovery_code_hash(std::string_view code) { return sha256(normal_code(code)); }

std::string normal_code(std::string_view code)
{
    std::string normal;
    for (const char letter : code)
        if (letter != ' ' && letter != '-') normal += ascii::lower(letter);
    return normal;
}

}  // namespace parley::auth
