// The key by which requests are counted: a user, a token, a login, an account name, an address or
// its network. Keys of different kinds are always different, even if their texts are equal.
//
// A key is a view of its text: the text must live until the limiter has answered.
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

    // Ids of an existing user, token or login. Never use an id that a client invented: clients
    // could fill the table of users.
    static Key user(std::string_view id) { return {Kind::user, id}; }
    static Key token(std::string_view id) { return {Kind::token, id}; }
    // A hook of an automation, which counts as the token that it is called with.
    static Key hook(std::string_view id) { return token(id); }
    static Key login(std::string_view id) { return {Kind::login, id}; }

    // An account name from the client, whether the account exists or not. It must be normalised
    // (NFC, case-folded) before, or every spelling of a name would have its own limit.
    static Key account(std::string_view name) { return {Kind::account, name}; }

    // IPv4: the address. IPv6: its /64, which is what one customer gets; an IPv4-mapped address
    // counts as the IPv4 address.
    static Key address(const boost::asio::ip::address& address);

    // The /48 of an IPv6 address, of which one customer may have 65,536 /64s; none for IPv4.
    static std::optional<Key> network(const boost::asio::ip::address& address);

    // The same key with its own limit instead of that of the class: 1 to Limits::max_own_limit.
    // Nothing: the limit of the class. The limit may change with each request; it applies at once,
    // also to earlier admissions.
    Key limited_to(std::optional<std::uint32_t> number) const
    {
        Key limited = *this;
        limited.own_limit_ = number.value_or(0);
        return limited;
    }

    Kind kind() const { return kind_; }
    std::uint32_t own_limit() const { return own_limit_; }  // 0: the class's.

    // Identifies this key among those of its kind.
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

// All keys that one request is counted by.
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
