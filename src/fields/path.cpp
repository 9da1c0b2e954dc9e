#include "fields/path.hpp"

#include "base/utf8.hpp"
#include "fields/add_fault.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace parley::fields {
namespace {

constexpr std::size_t max_name_bytes = 128;

// Allowed in a fragment by RFC 3986. "~" and "/" are escaped before.
bool stands_in_fragment(char letter)
{
    static constexpr std::string_view signs = "-._!$&'()*+,;=:@?";
    return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= 'a' && letter <= 'z') || signs.find(letter) != std::string_view::npos;
}

void append_token(std::string& out, std::string_view name)
{
    static constexpr std::string_view hex = "0123456789ABCDEF";
    const std::string_view shown = utf8::cut(name, max_name_bytes);
    for (const char letter : shown) {
        const auto byte = static_cast<unsigned char>(letter);
        if (letter == '~')
            out += "~0";
        else if (letter == '/')
            out += "~1";
        else if (stands_in_fragment(letter))
            out += letter;
        else
            out.append({'%', hex[byte >> 4U], hex[byte & 0xFU]});
    }
    if (shown.size() < name.size()) out += "...";
}

}  // namespace

std::string FieldPath::where() const
{
    if (up_ == nullptr) {
        const std::string_view shown = utf8::cut(name_, max_name_bytes);
        return utf8::repaired(shown) + (shown.size() < name_.size() ? "..." : "");
    }
    std::string pointer = up_->where() + '/';
    if (index_ == none)
        append_token(pointer, name_);
    else
        pointer += std::to_string(index_);
    return pointer;
}

void FieldPath::fault(std::string_view code, std::string detail) const
{
    Faults& faults = reading_.faults;
    if (is_key_) detail.insert(0, "its key ");
    const bool is_listed = faults.size() < max_faults;
    add_fault(faults,
              {is_listed ? where() : "", std::string(code), std::move(detail), reading_.place});
}

std::string number_text(double number)
{
    std::array<char, 32> text{};
    // Whole numbers without an exponent: 100000, not 1e+05.
    constexpr double largest_exact = 9'007'199'254'740'991;
    const bool plain = std::trunc(number) == number && std::abs(number) <= largest_exact;
    const auto form = plain ? std::chars_format::fixed : std::chars_format::general;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, form).ptr;
    return {text.data(), end};
}

}  // namespace parley::fields
