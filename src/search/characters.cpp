#include "search/characters.hpp"

#include <algorithm>
#include <array>
#include <utf8proc.h>
#include <vector>

namespace parley::search {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr auto unspaced_scripts = std::to_array<Range>({
    {0x0e01, 0x0eff},                      // Thai, Lao
    {0x0f00, 0x0fff},                      // Tibetan
    {0x1000, 0x109f},                      // Myanmar
    {0x1780, 0x17ff},                      // Khmer
    {0x1950, 0x19ff},                      // Tai Le, New Tai Lue, Khmer symbols
    {0x1a20, 0x1aaf},                      // Tai Tham
    {0x2e80, 0x2fdf},                      // Radicals
    {0x3005, 0x3007},                      // Iteration marks of Han
    {0x3021, 0x3029},                      // Hangzhou numerals
    {0x3038, 0x303c},   {0x3041, 0x312f},  // Hiragana, Katakana, Bopomofo
    {0x31a0, 0x31ff},                      // Bopomofo, strokes, Katakana
    {0x3400, 0x4dbf},                      // Han
    {0x4e00, 0x9fff},   {0xa9e0, 0xa9ff},  // Myanmar
    {0xaa60, 0xaadf},                      // Myanmar, Tai Viet
    {0xf900, 0xfaff},                      // Han
    {0xff66, 0xff9f},                      // Katakana, half width
    {0x1aff0, 0x1b16f},                    // Kana
    {0x20000, 0x3ffff},                    // Han
});

// Signs on letters of the scripts in which texts are also written without them. Marks of other
// scripts are vowels, or change one letter into another one.
constexpr auto accents = std::to_array<Range>({
    {0x0300, 0x036f},
    {0x0483, 0x0489},  // Cyrillic
    {0x0591, 0x05bd},  // Hebrew
    {0x05bf, 0x05c7},
    {0x0610, 0x061a},  // Arabic
    {0x064b, 0x065f},
    {0x0670, 0x0670},
    {0x06d6, 0x06ed},
    {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff},
    {0x20d0, 0x20ff},
    {0xfe20, 0xfe2f},
});

// Letters with a sign that Unicode does not take apart, folded. The dotless i is the small letter
// of "I" in Turkish, and "I" is folded to "i".
struct Replacement {
    char32_t letter;
    std::u32string_view by;
};
constexpr auto replacements = std::to_array<Replacement>({
    {U'æ', U"ae"},
    {U'ð', U"d"},
    {U'ø', U"o"},
    {U'đ', U"d"},
    {U'ħ', U"h"},
    {U'ı', U"i"},
    {U'ł', U"l"},
    {U'œ', U"oe"},
    {U'ŧ', U"t"},
    {U'ƶ', U"z"},
});

template <std::size_t Size>
bool is_in(const std::array<Range, Size>& ranges, char32_t code)
{
    const auto* const after = std::ranges::upper_bound(ranges, code, {}, &Range::first);
    return after != ranges.begin() && code <= (after - 1)->last;
}

constexpr bool is_joiner(char32_t code)
{
    return code == 0xad || code == 0x200c || code == 0x200d || code == 0x2060 || code == 0xfeff;
}

bool is_letter(char32_t code)
{
    const Kind kind = kind_of(code);
    return kind == Kind::letter || kind == Kind::unspaced;
}

void append_unaccented(std::vector<utf8proc_int32_t>& out, char32_t code)
{
    if (is_in(accents, code) || !is_letter(code)) return;
    const auto* const found = std::ranges::find(replacements, code, &Replacement::letter);
    if (found == replacements.end()) {
        out.push_back(static_cast<utf8proc_int32_t>(code));
        return;
    }
    for (const char32_t letter : found->by) out.push_back(static_cast<utf8proc_int32_t>(letter));
}

std::vector<utf8proc_int32_t> decomposed(std::string_view text)
{
    constexpr auto options =
        static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                       UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    const auto size = static_cast<utf8proc_ssize_t>(text.size());
    const utf8proc_ssize_t count = utf8proc_decompose(bytes, size, nullptr, 0, options);
    if (count <= 0) return {};
    std::vector<utf8proc_int32_t> characters(static_cast<std::size_t>(count));
    utf8proc_decompose(bytes, size, characters.data(), count, options);
    return characters;
}

}  // namespace

Kind kind_of(char32_t code)
{
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            return is_in(unspaced_scripts, code) ? Kind::unspaced : Kind::letter;
        case UTF8PROC_CATEGORY_SO:
            return Kind::symbol;
        default:
            return is_joiner(code) ? Kind::joiner : Kind::separator;
    }
}

bool is_mark(char32_t code)
{
    if (code == 0xff9e || code == 0xff9f) return true;  // Half-width voiced marks of Katakana.
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
            return true;
        default:
            return false;
    }
}

std::string folded(std::string_view text)
{
    constexpr auto composing = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    std::vector<utf8proc_int32_t> letters;
    for (const utf8proc_int32_t code : decomposed(text))
        append_unaccented(letters, static_cast<char32_t>(code));
    if (letters.empty()) return {};
    const utf8proc_ssize_t count = utf8proc_normalize_utf32(
        letters.data(), static_cast<utf8proc_ssize_t>(letters.size()), composing);
    std::string out;
    std::array<utf8proc_uint8_t, 4> bytes{};
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
        const auto size = utf8proc_encode_char(letters[static_cast<std::size_t>(i)], bytes.data());
        out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size));
    }
    return out;
}

std::string folded_symbol(std::string_view symbol)
{
    std::string letters = folded(symbol);
    return letters.empty() ? std::string(symbol) : letters;
}

std::string unicode_version() { return utf8proc_unicode_version(); }

}  // namespace parley::search
