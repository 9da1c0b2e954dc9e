#include "base/normal_form.hpp"

#include <gtest/gtest.h>

#include <utf8proc.h>
#include <utility>

namespace parley {
namespace {

using namespace std::string_view_literals;

// From Unicode's NormalizationTest.txt: a text and its NFC.
TEST(NormalForm, ComposesAsUnicodeSays)
{
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"e\u0301", "\u00E9"},
        {"\u1E0B\u0323", "\u1E0D\u0307"},        // The mark below goes first.
        {"\u212B", "\u00C5"},                    // Ångström sign: a singleton.
        {"\u0958", "\u0915\u093C"},              // Excluded from composition.
        {"\u1100\u1161\u11A8", "\uAC01"},        // Hangul.
        {"\u0344", "\u0308\u0301"},              // Marks alone.
        {"\U0001D15E", "\U0001D157\U0001D165"},  // Grows.
        {"\uFB01", "\uFB01"},                    // Compatibility is no equivalence.
        {"a\0e\u0301\0"sv, "a\0\u00E9\0"sv},     // NUL is a character.
        {"a\u0315\u0300\u05AEb", "\u00E0\u05AE\u0315b"},
    };
    for (const auto& [text, nfc] : cases) {
        EXPECT_EQ(composed(text), nfc) << text;
        EXPECT_EQ(composed(nfc), nfc) << text;
        EXPECT_EQ(composed(Secret(text)).reveal(), nfc) << text;
    }
}

TEST(NormalForm, FoldsCaseAsUnicodeSays)
{
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"Ana", "ana"},
        {"Straße", "strasse"},
        {"STRASSE", "strasse"},
        {"ẞ", "ss"},
        {"İ", "i\u0307"},  // The default rule, not the Turkish one: not the i of "i".
        {"ı", "ı"},
        {"ΣΊΣΥΦΟΣ", "σίσυφοσ"},  // Final sigma is a sigma.
        {"Σίσυφος", "σίσυφοσ"},
        {"E\u0301VA", "éva"},
        {"ﬁ", "fi"},
        {"\u1FB4", "\u03AC\u03B9"},
        // The iota below folds to a letter, after all marks of the letter before it.
        {"\u0391\u0345\u0323", "\u03B1\u0323\u03B9"},
        {"\u13A0", "\u13A0"},
        {"\uAB70", "\u13A0"},  // Cherokee folds to capitals.
    };
    for (const auto& [text, folded] : cases) EXPECT_EQ(case_folded(text), folded) << text;
}

TEST(NormalForm, FoldsAllWaysToWriteACharacterToTheSame)
{
    // Ranges of characters with case, or with more than one form.
    const std::pair<int, int> ranges[] = {{0, 0x3400},        {0xA640, 0xAC80},
                                          {0xF900, 0x12000},  {0x1D100, 0x1D200},
                                          {0x1E900, 0x1E960}, {0x2F800, 0x2FA20}};
    for (const auto& [begin, end] : ranges)
        for (int code = begin; code < end; ++code) {
            utf8proc_uint8_t bytes[4];
            const auto size = static_cast<std::size_t>(utf8proc_encode_char(code, bytes));
            const std::string text(bytes, bytes + size);
            const auto nfc = composed(text);
            const auto folded = case_folded(text);
            ASSERT_TRUE(nfc && folded) << code;
            ASSERT_EQ(composed(*nfc), nfc) << code;
            ASSERT_EQ(case_folded(*nfc), folded) << code;
            ASSERT_EQ(case_folded(*folded), folded) << code;
        }
}

TEST(NormalForm, IsNothingWhereTheTextIsNotUtf8)
{
    for (const auto text : {"\xFF"sv, "a\xC3"sv, "\xC0\x80"sv, "\xED\xA0\x80"sv,
                            "\xF4\x90\x80\x80"sv, "\x80"sv, "ok\0\xFE"sv}) {
        EXPECT_EQ(composed(text), std::nullopt);
        EXPECT_EQ(case_folded(text), std::nullopt);
        EXPECT_EQ(composed(Secret(text)).reveal(), text) << "a password stays as it is";
    }
}

}  // namespace
}  // namespace parley
