// Whose requests are counted together: those of a user, of a login, for an account name, or from an
// address. Keys of different kinds never meet, even where their texts are equal.
//
// A key looks at its text and does not copy it: the text must live until the limiter has answered.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parley::limits {

class Key {
public:
    enum class Kind : std::uint8_t { user, login, account, address };

    // Ids that this service gave, of a user and of a login that exist. Whoever counts by an id that
    // a client made up lets the client fill the table of users.
    static Key user(std::string_view id) { return {Kind::user, id}; }
    static Key login(std::string_view id) { return {Kind::login, id}; }

    // An account name as the client gave it, whether there is such an account or not. It is to be
    // normalised (NFC, case folded) before, or every spelling of a name has a limit of its own.
    static Key account(std::string_view name) { return {Kind::account, name}; }

    // IPv4: the address. IPv6: its /64, since that is what one customer gets, with an IPv4-mapped
    // one taken for the IPv4 address that it is.
    static Key address(const boost::asio::ip::address& address);

    Kind kind() const { return kind_; }

    // What tells this key from others of its kind.
    std::string_view bytes() const
    {
        return kind_ == Kind::address ? std::string_view(address_.data(), address_size_) : text_;
    }

private:
    Key(Kind kind, std::string_view text) : kind_(kind), text_(text) {}

    Kind kind_;
    std::uint8_t address_size_ = 0;
    std::array<char, 8> address_{};
    std::string_view text_;
};

// The keys that one request needs room in, all at once: one, or two.
class Keys {
public:
    Keys(Key only) : keys_{only, only}, count_(1) {}
    Keys(Key first, Key second) : keys_{first, second}, count_(2) {}

    std::span<const Key> all() const { return std::span(keys_).first(count_); }

private:
    std::array<Key, 2> keys_;
    std::size_t count_;
};

}  // namespace parley::limits
