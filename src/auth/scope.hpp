// The scopes of tokens. A set of scopes is a small value, cheap to copy and to test.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace parley::auth {

enum class Scope : std::uint8_t {
    auth_login,
    chat_read,
    chat_write,
    account,
    admin,
    automation_read,
    automation_write,
};

struct NamedScope {
    Scope scope;
    std::string_view name;
};
inline constexpr std::array all_scopes = {
    NamedScope{Scope::auth_login, "auth:login"},
    NamedScope{Scope::chat_read, "chat:read"},
    NamedScope{Scope::chat_write, "chat:write"},
    NamedScope{Scope::account, "account"},
    NamedScope{Scope::admin, "admin"},
    NamedScope{Scope::automation_read, "automation:read"},
    NamedScope{Scope::automation_write, "automation:write"},
};

constexpr std::string_view name_of(Scope scope)
{
    return all_scopes[static_cast<std::size_t>(scope)].name;
}

constexpr std::optional<Scope> find_scope(std::string_view name)
{
    for (const auto& each : all_scopes)
        if (each.name == name) return each.scope;
    return std::nullopt;
}

class Scopes {
public:
    constexpr Scopes() = default;
    constexpr Scopes(std::initializer_list<Scope> scopes)
    {
        for (const Scope scope : scopes) add(scope);
    }

    constexpr void add(Scope scope) { bits_ = static_cast<std::uint8_t>(bits_ | bit(scope)); }
    constexpr bool has(Scope scope) const { return (bits_ & bit(scope)) != 0; }
    constexpr bool has_all_of(Scopes others) const { return (others.bits_ & ~bits_) == 0; }
    constexpr Scopes operator&(Scopes others) const
    {
        return from_bits(static_cast<std::uint8_t>(bits_ & others.bits_));
    }
    constexpr bool empty() const { return bits_ == 0; }

    // For the store: bits in the order of all_scopes.
    constexpr std::uint8_t bits() const { return bits_; }
    static constexpr Scopes from_bits(std::uint8_t bits)
    {
        Scopes scopes;
        scopes.bits_ = bits;
        return scopes;
    }
    constexpr bool operator==(const Scopes&) const = default;

    // "chat:read chat:write", in the order of all_scopes.
    std::string text() const
    {
        std::string names;
        for (const auto& [scope, name] : all_scopes)
            if (has(scope)) names.append(names.empty() ? "" : " ").append(name);
        return names;
    }

private:
    static constexpr std::uint8_t bit(Scope scope)
    {
        return static_cast<std::uint8_t>(1U << static_cast<unsigned>(scope));
    }

    std::uint8_t bits_ = 0;
};

}  // namespace parley::auth
