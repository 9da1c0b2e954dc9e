// A password, token or key while the program holds it. It has no formatter and no operator<<, so it
// cannot end up in a log line or a message by accident; every use of the text is a call of
// reveal(). Its bytes are erased when it is destroyed.
#pragma once

#include "base/random.hpp"

#include <sodium/utils.h>

#include <algorithm>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

class Secret {
public:
    Secret() = default;
    explicit Secret(std::string_view text)
        : bytes_(std::make_unique<char[]>(text.size())), size_(text.size())
    {
        std::copy(text.begin(), text.end(), bytes_.get());
    }
    ~Secret() { erase(); }

    Secret(Secret&& other) noexcept { swap(other); }
    Secret& operator=(Secret&& other) noexcept
    {
        Secret(std::move(other)).swap(*this);
        return *this;
    }
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;

    // Takes the text and erases the original.
    static Secret taken_from(std::string& text)
    {
        Secret secret{std::string_view(text)};
        sodium_memzero(text.data(), text.size());
        text.clear();
        return secret;
    }

    bool empty() const { return size_ == 0; }
    std::string_view reveal() const { return {bytes_.get(), size_}; }

    bool equals(std::string_view text) const { return constant_time_equal(reveal(), text); }

    friend std::ostream& operator<<(std::ostream&, const Secret&) = delete;

private:
    void swap(Secret& other) noexcept
    {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
    }
    void erase() noexcept
    {
        if (size_ > 0) sodium_memzero(bytes_.get(), size_);
    }

    std::unique_ptr<char[]> bytes_;
    std::size_t size_ = 0;
};

}  // namespace parley
