// Whose requests are counted together: those of a user, of a token, of a login, for an account
// name, from an address or from its network. Keys of different kinds never meet, even where their
// texts are equal.
//
// A key looks at its text and does not copy it: the text must live until the limiter has answered.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace parley::limits {

class Key {
public:
    enum class Kind : std::uint8_t { user, login, account, address, network, token };
    static constexpr std::size_t kinds = 6;

    // Ids that this service gave, of a user, a token and a login that exist. Whoever counts by an
    // id that a client made up lets the client fill the table of users.
    static Key user(std::string_view id) { return {Kind::user, id}; }
    static Key token(std::string_view id) { return {Kind::token, id}; }
    static Key login(std::string_view id) { return {Kind::login, id}; }

    // An account name as the client gave it, whether there is such an account or not. It is to be
    // normalised (NFC, case folded) before, or every spelling of a name has a limit of its own.
    static Key account(std::string_view name) { return {Kind::account, name}; }

    // IPv4: the address. IPv6: its /64, since that is what one customer gets, with an IPv4-mapped
    // one taken for the IPv4 address that it is.
    static Key address(const boost::asio::ip::address& address);

    // The /48 of an IPv6 address, of which one customer may have 65,536 /64s; none for IPv4.
    static std::optional<Key> network(const boost::asio::ip::address& address);

    // The same key with a number of its own in place of its class's: 1 to Limits::max_own_limit.
    // Nothing: the class's number. The number may be another one each time; it applies at once, to
    // all that was admitted before, too.
    Key limited_to(std::optional<std::uint32_t> number) const
    {
        Key limited = *this;
        limited.own_limit_ = number.value_or(0);
        return limited;
    }

    Kind kind() const { return kind_; }
    std::uint32_t own_limit() const { return own_limit_; }  // 0: the class's.

    // What tells this key from others of its kind.
    std::string_view bytes() const
    {
        return address_size_ > 0 ? std::string_view(address_.data(), address_size_) : text_;
    }

private:
    Key(Kind kind, std::string_view text) : kind_(kind), text_(text) {}

    template <class Bytes>
    void keep(const Bytes& bytes, std::size_t count);

    Kind kind_;
    std::uint8_t address_size_ = 0;
    std::array<char, 8> address_{};
    std::uint32_t own_limit_ = 0;
    std::string_view text_;
};

// The keys that one request needs room in, all at once.
class Keys {
public:
    static constexpr std::size_t most = 4;

    Keys(Key only) : keys_{only, only, only, only}, count_(1) {}
    Keys(Key first, Key second) : Keys(first) { add(second); }

    // An address, and its network if it has one.
    static Keys address(const boost::asio::ip::address& address)
    {
        Keys keys = Key::address(address);
        if (const auto network = Key::network(address)) keys.add(*network);
        return keys;
    }

    void add(const Key& key)
    {
        assert(count_ < most);
        keys_[count_++] = key;
    }

    std::span<const Key> all() const { return std::span(keys_).first(count_); }

private:
    std::array<Key, most> keys_;
    std::size_t count_;
};

}  // namespace parley::limits
