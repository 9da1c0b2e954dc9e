// The set-up code of a server that has no operator yet: part of a link that is shown only to the
// person who started the server. It is valid until there is an operator, and changes at each start;
// servers that share a store derive it from a key in the store, so that any of them takes it.
#pragma once

#include "base/base62.hpp"
#include "base/random.hpp"
#include "base/secret.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::auth {

class SetupCode {
public:
    SetupCode() = default;
    // `key`: store::Keys::size random bytes.
    explicit SetupCode(const Secret& key) : text_(derive(key.reveal())) {}

    const Secret& text() const { return text_; }
    bool is(std::string_view text) const { return text_.equals(text); }

private:
    static Secret make()
    {
        std::string text = random_base62(24);
        return Secret::taken_from(text);
    }

    static Secret derive(std::string_view key)
    {
        constexpr std::size_t digits = 8;  // 62^8 numbers, evenly of 64 bits.
        std::string text;
        for (std::size_t word = 0; word < 3; ++word) {
            std::uint64_t number = 0;
            for (const char byte : key.substr(word * sizeof number, sizeof number))
                number = number << 8 | static_cast<unsigned char>(byte);
            append_base62(text, number, digits);
        }
        return Secret::taken_from(text);
    }

    Secret text_ = make();
};

}  // namespace parley::auth
