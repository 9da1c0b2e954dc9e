// Where the bytes of a model come from, and a cursor that takes them from front to back. A file is
// read, never mapped: one that is cut short meanwhile ends early, and kills nobody.
#pragma once

#include "base/error.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace parley::engine::gguf {

class Bytes {
public:
    virtual ~Bytes() = default;
    virtual std::uint64_t size() const = 0;

    // How many were read; fewer than asked for only at the end, or where reading fails.
    virtual std::size_t read(std::uint64_t offset, std::span<char> into) = 0;
};

// Fails with a sentence: not there, not readable, not a plain file.
Result<std::unique_ptr<Bytes>> open_bytes(const std::filesystem::path& file);

class TextBytes final : public Bytes {
public:
    explicit TextBytes(std::string_view text) : text_(text) {}
    std::uint64_t size() const override { return text_.size(); }
    std::size_t read(std::uint64_t offset, std::span<char> into) override;

private:
    std::string_view text_;
};

// Once the bytes have ended, everything it gives is zero: whoever reads in a loop asks ended().
class Cursor {
public:
    explicit Cursor(Bytes& bytes) : bytes_(bytes) {}

    template <class Number>
    Number take()
    {
        Number number{};
        std::array<char, sizeof(Number)> raw{};
        if (take_into(raw)) std::memcpy(&number, raw.data(), raw.size());
        return number;
    }
    // At most `size`, which the caller has bounded.
    std::string text(std::size_t size);
    void skip(std::uint64_t size);

    bool ended() const { return ended_; }
    std::uint64_t position() const { return position_; }
    std::uint64_t left() const { return bytes_.size() - position_; }

private:
    bool take_into(std::span<char> into);

    Bytes& bytes_;
    std::uint64_t position_ = 0;
    bool ended_ = false;
    std::array<char, 32768> buffer_{};
    std::uint64_t buffer_start_ = 0;
    std::size_t buffered_ = 0;
};

}  // namespace parley::engine::gguf
