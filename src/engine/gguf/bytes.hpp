// The source of a model's bytes, and a cursor that reads them from front to back. A file is read,
// never mapped: if it is truncated meanwhile, reading ends early instead of crashing the process.
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

    // The number of bytes read; fewer than requested only at the end, or if reading fails.
    virtual std::size_t read(std::uint64_t offset, std::span<char> into) = 0;
};

// Fails with a message: missing, not readable, or not a plain file.
Result<std::unique_ptr<Bytes>> open_bytes(const std::filesystem::path& file);

class TextBytes final : public Bytes {
public:
    explicit TextBytes(std::string_view text) : text_(text) {}
    std::uint64_t size() const override { return text_.size(); }
    std::size_t read(std::uint64_t offset, std::span<char> into) override;

private:
    std::string_view text_;
};

// After the end of the bytes it returns zeros: loops must check ended().
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
