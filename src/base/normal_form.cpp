#include "base/normal_form.hpp"

#include <sodium/utils.h>

#include <utf8proc.h>
#include <vector>

namespace parley {
namespace {

constexpr int nfd = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
constexpr int nfc = UTF8PROC_STABLE | UTF8PROC_COMPOSE;

// A text in another form. utf8proc_map() would be shorter, but leaves copies of passwords in memory
// that is not erased.
class Transformed {
public:
    Transformed(std::string_view text, int form)
    {
        const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
        const auto size = static_cast<utf8proc_ssize_t>(text.size());
        const auto options = static_cast<utf8proc_option_t>(form);
        const utf8proc_ssize_t characters = utf8proc_decompose(bytes, size, nullptr, 0, options);
        if (characters < 0) return;
        buffer_.resize(static_cast<std::size_t>(characters) + 1);  // One more for the final NUL.
        utf8proc_decompose(bytes, size, buffer_.data(), characters, options);
        size_ = utf8proc_reencode(buffer_.data(), characters, options);
    }
    ~Transformed() { sodium_memzero(buffer_.data(), buffer_.size() * sizeof(utf8proc_int32_t)); }
    Transformed(const Transformed&) = delete;
    Transformed& operator=(const Transformed&) = delete;

    std::optional<std::string_view> text() const
    {
        if (size_ < 0) return std::nullopt;
        return std::string_view(reinterpret_cast<const char*>(buffer_.data()),
                                static_cast<std::size_t>(size_));
    }

private:
    std::vector<utf8proc_int32_t> buffer_;  // Characters, then bytes: reencode() works in place.
    utf8proc_ssize_t size_ = -1;
};

std::optional<std::string> transformed(std::string_view text, int form)
{
    const Transformed result(text, form);
    const auto found = result.text();
    if (!found) return std::nullopt;
    return std::string(*found);
}

}  // namespace

std::optional<std::string> composed(std::string_view text) { return transformed(text, nfc); }

std::optional<std::string> case_folded(std::string_view text)
{
    // Decomposed first: folding a composed character could put letters before its marks.
    const auto decomposed = transformed(text, nfd);
    if (!decomposed) return std::nullopt;
    return transformed(*decomposed, nfc | UTF8PROC_CASEFOLD);
}

Secret composed(const Secret& password)
{
    const Transformed result(password.reveal(), nfc);
    return Secret(result.text().value_or(password.reveal()));
}

}  // namespace parley
